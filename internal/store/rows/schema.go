package rows

import (
	"context"

	"verbatim/internal/store/sqlite"
)

// applicationID marks the file as ours, in the header where `file` and SQLite
// look for it: "vrbt".
const applicationID = 0x76726274

// Statements is a step of SQL statements.
func Statements(sql string) sqlite.Step {
	return func(ctx context.Context, c *sqlite.Conn) error {
		_, _, err := c.ExecOnce(sql)
		return err
	}
}

// steps leads from each version of the schema to the next: steps[i] turns version i+1
// into version i+2. To change the schema, change tables for new files and add the step
// for old ones here; nothing else knows versions.
var steps = []sqlite.Step{
	// 2: money, batches, what was sent and applied, and the one try of most
	// replies within the reply's own row. Replies that are there keep their attempts
	// where they are.
	Statements(`ALTER TABLE run ADD COLUMN price TEXT;
	ALTER TABLE reply ADD COLUMN sent INTEGER;
	ALTER TABLE reply ADD COLUMN applied INTEGER;
	ALTER TABLE reply ADD COLUMN cost INTEGER;
	ALTER TABLE reply ADD COLUMN batch INTEGER;
	ALTER TABLE reply ADD COLUMN try INTEGER;
	ALTER TABLE reply ADD COLUMN try_wait INTEGER;
	ALTER TABLE reply ADD COLUMN try_total INTEGER;
	ALTER TABLE reply ADD COLUMN try_status INTEGER;
	ALTER TABLE reply ADD COLUMN try_bytes INTEGER;
	ALTER TABLE attempt ADD COLUMN cost INTEGER;` + batchTable),
	// 3: what a run is asked for, and how that ended, and briefs. Runs that are there
	// were to have their whole plans answered; they are read without briefs.
	Statements(`ALTER TABLE run ADD COLUMN test TEXT;
	ALTER TABLE run ADD COLUMN verdict TEXT;
	ALTER TABLE run ADD COLUMN closed INTEGER;
	ALTER TABLE reply ADD COLUMN brief BLOB;`),
	// 4: what makes the budget and the models of a run safe against a crash and
	// against a file from elsewhere, and imports that commit in slices. Runs that are
	// there have no proof.
	Statements(`ALTER TABLE run ADD COLUMN proof TEXT;
	ALTER TABLE reply ADD COLUMN claimed INTEGER;` + reservationTable + incomingTable),
	// 5: other words in grades, parameters and tests.
	func(ctx context.Context, c *sqlite.Conn) error {
		err := Statements(`ALTER TABLE grade RENAME COLUMN strict TO exact;
			ALTER TABLE grade RENAME COLUMN payload TO extracted;`)(ctx, c)
		if err == nil {
			err = renameWords(ctx, c)
		}
		return err
	},
	// 6: where the answer was found in a reply, and by which rule.
	Statements(`ALTER TABLE grade ADD COLUMN rule INTEGER;
	ALTER TABLE grade ADD COLUMN span INTEGER;`),
	// 7: how long a request was in the server's queue.
	Statements(`ALTER TABLE reply ADD COLUMN queued INTEGER;`),
	// 8: the log probabilities of a reply's tokens, the other answers that an item foresees, and
	// what stands out in a reply's reasoning.
	Statements(`ALTER TABLE answer ADD COLUMN tokens TEXT;
	ALTER TABLE reply ADD COLUMN marks BLOB;
	ALTER TABLE question ADD COLUMN others TEXT;`),
	// 9: how much a run asked of its server at once.
	Statements(`ALTER TABLE run ADD COLUMN load TEXT;`),
	// 10: which server behind a router failed.
	Statements(`ALTER TABLE attempt ADD COLUMN upstream INTEGER;`),
}

// Layout is the version that this program writes.
var Layout = sqlite.Layout{ID: applicationID, Tables: tables, Steps: steps,
	Anchor: `SELECT uid, (SELECT coalesce(sum(n), 0) FROM tally WHERE run = run.id) FROM run WHERE id = ?`}

// tables is the schema. Times are nanoseconds since 1970 UTC, durations
// nanoseconds; NULL is missing. Columns called outcome, finish, class and state
// hold the numbers of codes.go; columns that refer to word a text that repeats.
//
// A position is run<<32 | seq: one integer that is the key of all that is saved of
// one request. It makes a run one contiguous range of every table, in planned
// order, with no further index.
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

-- An item's id is cut after its last slash: series is the word before the cut,
-- tail the rest, an integer where it is one. Asking goes round the series with
-- the same tail, so in this order of the columns the index grows at its end;
-- with the hash in front every insertion lands somewhere else, which makes
-- keeping a reply half as fast.
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

-- A prompt is what was sent where it is not the item's own.
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
	grader            INTEGER,     -- word: whose grade outcome is; NULL without an answer
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
	sent              INTEGER,     -- word; -word: with the token limit taken out, as sent.go says
	applied           INTEGER,     -- word
	cost              INTEGER,     -- in millionths of a millionth of a dollar
	batch             INTEGER,     -- word: the provider's id of the batch
	-- The one try of a reply that came at the first, as nearly all do: its number,
	-- the wait before it, its duration where that is not total, its status and its
	-- bytes. NULL: the tries are in the table attempt.
	try               INTEGER,
	try_wait          INTEGER,
	try_total         INTEGER,
	try_status        INTEGER,
	try_bytes         INTEGER,
	brief             BLOB,        -- what comparisons read, packed as brief.go says; NULL: not there, read the columns
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
	k          INTEGER NOT NULL,   -- from 0, in the order of keeping
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
	place    INTEGER NOT NULL,
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
	span     INTEGER,              -- where it is: start<<32 | end, in bytes
	PRIMARY KEY (place, grader)
) STRICT, WITHOUT ROWID;

-- How many places of a run have which outcome by which grader's newest version
-- (0: unanswered), and how many hold a grade of each version. Both are kept
-- with every commit: they answer in no time what a scan would take a second for.
CREATE TABLE tally (
	run     INTEGER NOT NULL,
	grader  INTEGER NOT NULL,
	outcome INTEGER NOT NULL,
	n       INTEGER NOT NULL,
	PRIMARY KEY (run, grader, outcome)
) STRICT, WITHOUT ROWID;

CREATE TABLE graded (
	run    INTEGER NOT NULL,
	grader INTEGER NOT NULL,
	n      INTEGER NOT NULL,
	PRIMARY KEY (run, grader)
) STRICT, WITHOUT ROWID;
` + batchTable + reservationTable + incomingTable

// incomingTable is what version 4 added for imports: the runs that an import has
// begun and not completed. Their records are saved under their numbers, and there is no
// row in run yet, so that they are hidden. A row that outlives its process is removed
// with those records by the next writer.
const incomingTable = `
CREATE TABLE incoming (
	run INTEGER PRIMARY KEY,
	uid TEXT NOT NULL UNIQUE
) STRICT;
`

// reservationTable is what version 4 added for budgets: the worst-case cost of each
// request in flight. A row is committed before its request is sent. It is removed
// in the transaction that saves the record, so a row that outlives its process
// is a request that may have been billed.
const reservationTable = `
CREATE TABLE reservation (
	place   INTEGER NOT NULL,      -- of the request
	n       INTEGER NOT NULL,      -- the attempt
	amount  INTEGER NOT NULL,      -- in millionths of a millionth of a dollar
	created INTEGER NOT NULL,
	PRIMARY KEY (place, n)
) STRICT, WITHOUT ROWID;
`

// batchTable is what version 2 added for batches.
const batchTable = `
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
