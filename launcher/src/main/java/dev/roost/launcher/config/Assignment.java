package dev.roost.launcher.config;

/// A wish of one place: this key shall hold this text. Not yet checked.
public record Assignment(String key, String text, Source source) {}
