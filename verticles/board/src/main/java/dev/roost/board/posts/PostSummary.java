package dev.roost.board.posts;

import dev.roost.board.boards.Slug;
import java.time.Instant;

/// A post as lists show it.
///
/// @param summary its first paragraph in plain text, cut at a word
/// @param language BCP 47 tag of the text, such as `en` or `ko`
public record PostSummary(
    Slug slug, String title, String summary, String language, Slug board, Instant published) {}
