-- Boards, posts and their tags. Times are milliseconds since 1970 in UTC.

create table boards (
  id          integer primary key,
  slug        text    not null unique,
  title       text    not null,
  description text    not null,
  position    integer not null
) strict;

create table posts (
  id           integer primary key,
  board_id     integer not null references boards (id),
  slug         text    not null unique,
  title        text    not null,
  summary      text    not null,
  language     text    not null,
  markdown     text    not null,
  html         text    not null,
  published_ms integer not null
) strict;

-- What a list asks for: the newest first, of everything and of one board.
create index posts_newest on posts (published_ms desc, id desc);
create index posts_newest_of_board on posts (board_id, published_ms desc, id desc);

create table post_tags (
  post_id  integer not null references posts (id) on delete cascade,
  tag      text    not null,
  position integer not null,
  primary key (post_id, tag)
) strict, without rowid;

create index post_tags_by_tag on post_tags (tag, post_id);

-- Which file a post came from, and what was in it then: the same file twice makes one post.
create table imported_files (
  name    text    primary key,
  post_id integer not null unique references posts (id) on delete cascade,
  digest  text    not null
) strict, without rowid;
