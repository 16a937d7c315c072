/** The command as users run it: real processes, real signals, a real cell. Start at {@link io.holdfast.cli.system.Holdfast}. */
package io.holdfast.cli.system;
