package verbatim

// An Item is one question together with its one right answer. It is complete:
// it can be asked, graded and compared without the code that drew it.
type Item struct {
	// ID names the item for ever: family, version, knobs, seed and index, as in
	// "reverse@1/len=16/seed=1/7". Items of users carry the id of their file.
	ID string `json:"id"`
	// Prompt is the bare question, before any variant of the plan is applied.
	Prompt Prompt `json:"messages"`
	// Want is the one right answer.
	Want Answer `json:"want"`
	// Source is what the question was made from, where a grader can tell more
	// by it: the string before its reversal, the list before it was sorted.
	Source *Answer `json:"source,omitempty"`
	// Facts is what reports group by. The keys that this program gives itself
	// are the Fact constants; users may add any.
	Facts map[string]string `json:"facts,omitempty"`
	// Grader names the rule that judges replies, without a version; empty means
	// "text" for a text and "list" for a list. Package grade lists the names.
	Grader string `json:"grader,omitempty"`
}

// The facts that this program writes into items. All values are text.
const (
	FactFamily  = "family"  // "sort-int"; the file's word, or "items", for items of users
	FactLength  = "length"  // the size asked for: characters, list items or digits
	FactEdition = "edition" // "standard", "paper" or "reference"
	FactTask    = "task"    // SortBench's published spelling, such as "ASCII-Cased"
	FactMode    = "mode"    // SortBench's "basic", "advanced" or "debug"
	FactList    = "list"    // SortBench's list name, such as "list_3"
)

// A Prompt is what a model sees, in order.
type Prompt []Message

// A Message is one turn of a prompt.
type Message struct {
	Role    string `json:"role"` // "system", "user" or "assistant"
	Content []Part `json:"content"`
}

// A Part is a piece of a message: a text or an image, never both.
type Part struct {
	Text string
	// Image is a PNG, JPEG or WebP file's bytes. In JSON it is named by path or hash.
	Image *Image
}

// An Image is a picture inside a message. Its bytes are kept once, by hash.
type Image struct {
	Path  string // as the items file names it; empty when the item was drawn
	Media string // media type, such as "image/png"
	Bytes []byte
}

// An Edition says which text of a benchmark an item follows.
type Edition string

// The three editions: what the benchmark's names say, what its paper says, and
// what its published code does.
const (
	Standard  Edition = "standard"
	Paper     Edition = "paper"
	Reference Edition = "reference"
)

// Editions lists the editions, the default first.
func Editions() []Edition { return []Edition{Standard, Paper, Reference} }
