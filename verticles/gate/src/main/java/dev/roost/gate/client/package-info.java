/// Opens, holds and asks very many TLS connections. Knows what an answer is, not what is allowed.
@NullMarked
package dev.roost.gate.client;

import org.jspecify.annotations.NullMarked;
