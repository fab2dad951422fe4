/// The HTTP server verticle and the routes an application mounts in it.
@NullMarked
package dev.roost.server.http;

import org.jspecify.annotations.NullMarked;
