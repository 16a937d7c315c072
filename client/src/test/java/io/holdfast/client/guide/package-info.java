/** The samples of the client guide, outside of the client's package: they can use what an application can. */
@NullMarked
package io.holdfast.client.guide;

import org.jspecify.annotations.NullMarked;
