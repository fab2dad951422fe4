/// The manifests under k8s/, held against the launcher they start.
@NullMarked
package dev.roost.launcher.k8s;

import org.jspecify.annotations.NullMarked;
