/**
 * Guards in a database, in the caller's own transaction: the token is checked where the data is written, and both become
 * durable together or not at all. {@link io.holdfast.fencing.jdbc.GuardTable} is a table of its own, for any number of rows
 * and tables that a lock protects; {@link io.holdfast.fencing.jdbc.FencedRows} is a column in the protected row.
 *
 * <p>Start at {@code GuardTable}. The SQL is PostgreSQL's.
 *
 * <p>Must not import: the other forms; a driver.
 */
@NullMarked
package io.holdfast.fencing.jdbc;

import org.jspecify.annotations.NullMarked;
