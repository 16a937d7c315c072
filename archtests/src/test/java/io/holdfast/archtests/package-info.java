/**
 * Checks of the whole source tree that no single module can make: which module may use which, what pure code may not
 * touch, package cycles, file length.
 *
 * <p>Start with {@link io.holdfast.archtests.Rules}. Every rule has a planted class that breaks it ({@code planted}
 * packages of this module's tests) and a test that the rule says so, because a rule that cannot fail protects nothing.
 */
package io.holdfast.archtests;
