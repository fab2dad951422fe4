package dev.roost.server.settings;

import java.nio.file.Path;

/// Keys `tls.*`.
///
/// @param certificate PEM file with the certificate chain, leaf first
/// @param key PEM file with the private key, PKCS #8
public record TlsSettings(Path certificate, Path key) {}
