package io.holdfast.simulation.mutation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles patched sources in memory and loads all of the service anew, with them in place of the real ones. */
final class MutantLoader extends ClassLoader {
    private static final String OURS = "io.holdfast.";

    private final Map<String, byte[]> patched;

    private MutantLoader(Map<String, byte[]> patched, ClassLoader parent) {
        super(parent);
        this.patched = patched;
    }

    /** @param sources text by file name */
    static MutantLoader of(Map<String, String> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IllegalStateException("a JDK is needed, this is a mere runtime");
        }
        Map<String, ByteArrayOutputStream> compiled = new HashMap<>();
        StringWriter complaints = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options =
                    List.of("-proc:none", "-nowarn", "-classpath", System.getProperty("java.class.path", ""));
            List<JavaFileObject> units = new ArrayList<>();
            sources.forEach((name, text) -> units.add(new SourceText(name, text)));
            boolean good = compiler.getTask(complaints, new Memory(files, compiled), null, options, null, units)
                    .call();
            if (!good) {
                throw new IllegalStateException("a mutant does not compile:\n" + complaints);
            }
        }
        Map<String, byte[]> classes = new HashMap<>();
        compiled.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
        return new MutantLoader(classes, MutantLoader.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null) {
                loaded = name.startsWith(OURS) ? define(name) : getParent().loadClass(name);
            }
            return loaded;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] bytes = patched.get(name);
        if (bytes == null) {
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                bytes = in.readAllBytes();
            } catch (IOException unreadable) {
                throw new ClassNotFoundException(name, unreadable);
            }
        }
        return defineClass(name, bytes, 0, bytes.length);
    }

    /** Keeps what the compiler writes. */
    private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> compiled;

        Memory(JavaFileManager files, Map<String, ByteArrayOutputStream> compiled) {
            super(files);
            this.compiled = compiled;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("bytes:///" + className.replace('.', '/')), kind) {
                @Override
                public OutputStream openOutputStream() {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    compiled.put(className, bytes);
                    return bytes;
                }
            };
        }
    }
}
