package io.holdfast.server.planted;

import javax.annotation.processing.Processor;

/** Uses a package that only generated code used to need. */
public interface ForeignAnnotations {
    Processor processor();
}
