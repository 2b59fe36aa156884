package store

import "verbatim/internal/store/sqlite"

// layout is the schema. It changes in place until the first release: a file with another number is
// refused, not migrated.
var layout = sqlite.Layout{ID: 0x76657262, Version: 1, Tables: tables, // the ID is "verb"
	Anchor: `SELECT uid, (SELECT coalesce(sum(n), 0) FROM tally WHERE run = run.id) FROM run WHERE id = ?`}

// tables is the schema. Times are nanoseconds since 1970 UTC, durations nanoseconds; NULL is
// unknown. The columns outcome, finish, class and state hold the numbers of values.go. A word is a
// row number of the table word, which holds texts that repeat.
//
// The column place holds the key run<<32 | seq of all that is saved of one request. So a run is
// one contiguous range of every table, in planned order, without another index.
const tables = `
CREATE TABLE word (
	id   INTEGER PRIMARY KEY,
	text TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE plan (
	id   INTEGER PRIMARY KEY,
	hash TEXT NOT NULL UNIQUE,
	body TEXT NOT NULL             -- JSON of verbatim.Plan
) STRICT;

CREATE TABLE run (
	id      INTEGER PRIMARY KEY AUTOINCREMENT, -- the number that people type: never given twice
	uid     TEXT NOT NULL UNIQUE,  -- the same run in every file it is carried to
	name    TEXT NOT NULL UNIQUE,
	plan    INTEGER NOT NULL REFERENCES plan,
	model   TEXT NOT NULL,
	params  TEXT NOT NULL,         -- JSON of verbatim.Params
	started INTEGER,
	ended   INTEGER,               -- NULL while it is not finished
	tool    TEXT NOT NULL,
	origin  TEXT NOT NULL,
	price   TEXT,                  -- JSON of verbatim.Price; NULL: not known
	test    TEXT,                  -- JSON of verbatim.Test without the next two; NULL: its whole plan is asked
	verdict TEXT,                  -- NULL while the test is open
	closed  INTEGER,
	proof   TEXT,                  -- that this user named the model on a command line; NULL: no such proof
	load    TEXT                   -- JSON of verbatim.Load; NULL: not known
) STRICT;

CREATE TABLE lease (
	run     INTEGER PRIMARY KEY,
	token   TEXT NOT NULL,
	pid     INTEGER NOT NULL,
	host    TEXT NOT NULL,         -- for people
	machine TEXT NOT NULL,         -- where pid can be looked up
	since   INTEGER NOT NULL,
	beat    INTEGER NOT NULL
) STRICT;

-- An item's id is split after its last slash: series is the word of the first part, tail the
-- rest, an integer if it is one. A run asks all series for the same tail, then for the next. So
-- in this order of the columns the index grows at its end. With the hash first, every insertion
-- goes to another page, and saving a reply takes twice as long.
CREATE TABLE item (
	id     INTEGER PRIMARY KEY,
	tail   ANY NOT NULL,
	series INTEGER NOT NULL,       -- word
	hash   INTEGER NOT NULL,       -- of all that the item says
	facts  INTEGER,                -- word: JSON
	grader INTEGER                 -- word
) STRICT;
CREATE UNIQUE INDEX item_name ON item (tail, series, hash);

CREATE TABLE question (
	item   INTEGER PRIMARY KEY,
	prompt TEXT NOT NULL,          -- JSON
	want   TEXT NOT NULL,          -- JSON
	source TEXT,                   -- JSON
	others TEXT                    -- JSON: other right answers, and foreseen mistakes; NULL: none
) STRICT;

-- Prompts that were sent and are not the item's own.
CREATE TABLE prompt (
	id   INTEGER PRIMARY KEY,
	item INTEGER NOT NULL,
	hash INTEGER NOT NULL,
	body TEXT NOT NULL             -- JSON
) STRICT;
CREATE UNIQUE INDEX prompt_item ON prompt (item, hash);

CREATE TABLE blob (
	id     INTEGER PRIMARY KEY,
	sha256 BLOB NOT NULL UNIQUE,
	bytes  BLOB NOT NULL
) STRICT;

CREATE TABLE reply (
	place             INTEGER PRIMARY KEY,
	item              INTEGER NOT NULL,
	trial             INTEGER NOT NULL,
	prompt            INTEGER,     -- NULL: the item's own; 0: not known
	max_tokens        INTEGER,
	outcome           INTEGER NOT NULL,
	grader            INTEGER,     -- word: that of its grade; NULL without an answer
	finish            INTEGER,     -- NULL: there is no reply, only a grade or a failure
	finish_raw        INTEGER,     -- word
	prompt_tokens     INTEGER,
	completion_tokens INTEGER,
	reasoning_tokens  INTEGER,
	cached_tokens     INTEGER,
	start             INTEGER,
	first_byte        INTEGER,
	first_reasoning   INTEGER,
	first_content     INTEGER,
	total             INTEGER,
	served_model      INTEGER,     -- word
	fingerprint       INTEGER,     -- word
	reasoning_field   INTEGER,     -- word
	sent              INTEGER,     -- word; -word: with the token limit masked, see insert.go
	applied           INTEGER,     -- word
	cost              INTEGER,     -- in millionths of a millionth of a dollar
	batch             INTEGER,     -- word: the provider's id of the batch
	-- The only attempt, as nearly all replies have: its number, the wait before it, its
	-- duration if that is not total, its status and its bytes. NULL: the attempts are in the
	-- table attempt.
	try               INTEGER,
	try_wait          INTEGER,
	try_total         INTEGER,
	try_status        INTEGER,
	try_bytes         INTEGER,
	brief             BLOB,        -- what comparisons read, packed as brief.go says; NULL: read the columns
	claimed           INTEGER,     -- the cost that the server claims, where cost is another; same unit
	queued            INTEGER,
	marks             BLOB         -- of the reasoning, packed as marks.go says; NULL: not known
) STRICT;

CREATE TABLE answer (
	place      INTEGER PRIMARY KEY,
	text       BLOB,               -- the bytes received; NULL is the empty text
	reasoning  BLOB,
	request_id TEXT,
	limits     TEXT,               -- JSON
	tokens     TEXT                -- JSON of []verbatim.Token; NULL: the server gave none
) STRICT;

CREATE TABLE failure (
	place  INTEGER PRIMARY KEY,
	class  INTEGER NOT NULL,
	status INTEGER,
	after  INTEGER,
	who    TEXT,
	hint   TEXT,
	error  TEXT
) STRICT;

CREATE TABLE attempt (
	place      INTEGER NOT NULL,
	k          INTEGER NOT NULL,   -- from 0, in the order of saving
	n          INTEGER NOT NULL,
	start      INTEGER,
	total      INTEGER,
	wait       INTEGER,
	status     INTEGER,
	class      INTEGER NOT NULL,
	bytes      INTEGER,
	request_id TEXT,
	error      TEXT,
	partial    BLOB,
	cost       INTEGER,            -- the most that it may have cost
	upstream   INTEGER,            -- word: the server behind a router that failed
	PRIMARY KEY (place, k)
) STRICT, WITHOUT ROWID;

CREATE TABLE grade (
	place    INTEGER PRIMARY KEY,
	grader   INTEGER NOT NULL,     -- word
	outcome  INTEGER NOT NULL,
	label    INTEGER NOT NULL,     -- word
	exact    INTEGER NOT NULL,
	extracted INTEGER NOT NULL,
	score    REAL,
	repair   INTEGER,              -- word
	flags    INTEGER,              -- word: JSON
	detail   BLOB,                 -- may quote the reply: any bytes
	measures BLOB,                 -- pairs of word and number, packed as grade.go says
	rule     INTEGER,              -- word: what found the answer in the reply
	span     INTEGER               -- where it is: start<<32 | end, in bytes
) STRICT;

-- The number of positions of a run by grader (0: unanswered) and by outcome. Every commit updates
-- it: a scan would take a second.
CREATE TABLE tally (
	run     INTEGER NOT NULL,
	grader  INTEGER NOT NULL,
	outcome INTEGER NOT NULL,
	n       INTEGER NOT NULL,
	PRIMARY KEY (run, grader, outcome)
) STRICT, WITHOUT ROWID;


-- The runs that an import has begun and not completed. Their records are saved under their
-- numbers, but there is no row in run yet, so they are hidden. The next writer removes a row that
-- outlives its process, with these records.
CREATE TABLE incoming (
	run INTEGER PRIMARY KEY,
	uid TEXT NOT NULL UNIQUE
) STRICT;

-- The worst-case cost of each request in flight under a budget. A row is committed before its
-- request is sent, and removed in the transaction that saves the record. So a row that outlives
-- its process is a request that may have been billed.
CREATE TABLE reservation (
	place   INTEGER NOT NULL,      -- of the request
	n       INTEGER NOT NULL,      -- the attempt
	amount  INTEGER NOT NULL,      -- in millionths of a millionth of a dollar
	created INTEGER NOT NULL,
	PRIMARY KEY (place, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE batch (
	id        INTEGER PRIMARY KEY,
	run       INTEGER NOT NULL,
	key       TEXT NOT NULL UNIQUE, -- ours
	provider  TEXT,                 -- the provider's id; NULL until it is known
	state     INTEGER NOT NULL,
	n         INTEGER NOT NULL,     -- requests in it
	places    TEXT NOT NULL,        -- of the run, as ranges: "0-99,105"
	raw       TEXT,                 -- the state as the provider spells it
	intended  INTEGER,
	submitted INTEGER,
	ended     INTEGER
) STRICT;
CREATE INDEX batch_run ON batch (run);
`
