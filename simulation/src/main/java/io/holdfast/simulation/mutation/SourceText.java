package io.holdfast.simulation.mutation;

import java.net.URI;
import javax.tools.SimpleJavaFileObject;

/** A source text for the compiler, under its file's name. */
public final class SourceText extends SimpleJavaFileObject {
    private final String text;

    /** @param file path below a source directory */
    public SourceText(String file, String text) {
        super(URI.create("string:///" + file), Kind.SOURCE);
        this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
    }
}
