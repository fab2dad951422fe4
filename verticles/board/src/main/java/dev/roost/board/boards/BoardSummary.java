package dev.roost.board.boards;

/// A board as lists show it.
///
/// @param description one line about it; empty for none
/// @param posts how many it holds
public record BoardSummary(Slug slug, String title, String description, long posts) {}
