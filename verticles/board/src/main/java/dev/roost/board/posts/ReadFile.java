package dev.roost.board.posts;

/// A file ready to be stored.
///
/// @param digest of the bytes and of what rendered them: the same digest, the same post
record ReadFile(PostFile post, Rendered rendered, String digest) {}
