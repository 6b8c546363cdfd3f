-- Version 1. Names of apps, boards and players are numbers here, so that rows and indexes are small.

-- The server's own secrets: a copy of this file is secret.
CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;

CREATE TABLE apps (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

CREATE TABLE boards (
    id INTEGER PRIMARY KEY,
    app INTEGER NOT NULL REFERENCES apps,
    name TEXT NOT NULL,
    ruleset BLOB,
    policy TEXT NOT NULL, -- JSON
    opens_ms INTEGER,
    closes_ms INTEGER,
    declared INTEGER NOT NULL,
    UNIQUE (app, name)
);

-- A player's number is a keyed hash of its id, moved on by one where that is taken.
CREATE TABLE players (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL,
    name TEXT NOT NULL,
    renamed INTEGER NOT NULL DEFAULT 0, -- names in runs no longer count
    moved INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX players_moved ON players (moved) WHERE moved = 1;

-- seq is the order of acceptance. It never changes and is never used again.
CREATE TABLE runs (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    app INTEGER NOT NULL,
    board INTEGER NOT NULL,
    player INTEGER NOT NULL,
    id BLOB NOT NULL,
    score INTEGER NOT NULL,
    frames INTEGER NOT NULL,
    status INTEGER NOT NULL, -- 0 refused, 1 quarantined, 2 pending, 3 plausible, 4 verified
    practice INTEGER NOT NULL,
    hidden INTEGER NOT NULL DEFAULT 0,
    accepted_ms INTEGER NOT NULL,
    size INTEGER NOT NULL,
    build TEXT NOT NULL,
    inputs BLOB, -- half of the input hash; NULL where equal inputs may be chance
    -- The first answer, to be given again:
    stored INTEGER NOT NULL, -- 0 better, 1 not better, 2 pending, 3 unranked, 4 refused
    rank INTEGER, -- all NULL if the player did not rank
    position INTEGER,
    best INTEGER, -- the best run's score and number
    best_seq INTEGER
);
CREATE UNIQUE INDEX runs_id ON runs (id, app);
CREATE INDEX runs_inputs ON runs (inputs) WHERE inputs IS NOT NULL;
CREATE INDEX runs_player ON runs (player, board);
CREATE INDEX runs_board ON runs (board);
CREATE INDEX runs_pending ON runs (status) WHERE status = 2;

-- The wide part of a run.
CREATE TABLE files (seq INTEGER PRIMARY KEY, verdict TEXT NOT NULL, bytes BLOB NOT NULL);

-- What ranks and is visible: what the ranks in memory are built from.
CREATE TABLE entries (
    board INTEGER NOT NULL,
    player INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    score INTEGER NOT NULL,
    PRIMARY KEY (board, player, seq)
) WITHOUT ROWID;

-- Tickets that were used, by the day after which they may be forgotten.
CREATE TABLE tickets (
    day INTEGER NOT NULL,
    nonce BLOB NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (day, nonce)
) WITHOUT ROWID;

CREATE TABLE attempts (
    board INTEGER NOT NULL,
    player INTEGER NOT NULL,
    number INTEGER NOT NULL,
    issued_ms INTEGER NOT NULL,
    PRIMARY KEY (board, player, number)
) WITHOUT ROWID;

CREATE TABLE bans (
    app INTEGER NOT NULL,
    player INTEGER NOT NULL,
    PRIMARY KEY (app, player)
) WITHOUT ROWID;

-- Keyed hashes of runs and inputs that must not come back.
CREATE TABLE tombstones (mark BLOB PRIMARY KEY) WITHOUT ROWID;
