package verbatim

// An Item is one question and its one right answer. It can be sent, graded and compared
// without the code that drew it.
type Item struct {
	// ID names the item permanently by family, version, parameters, seed and index, as in
	// "reverse@1/len=16/seed=1/7". Items of users have the id in their file.
	ID string `json:"id"`
	// Prompt is the bare question, before any variant of the plan is applied.
	Prompt Prompt `json:"messages"`
	// Want is the one right answer.
	Want Answer `json:"want"`
	// Accept are other answers that are as right as Want. Comparisons and measures are
	// taken against Want.
	Accept []Answer `json:"accept,omitempty"`
	// Mistakes are wrong answers that are foreseen, such as the sum without its carries. A
	// reply that gives one gets its label. Their order is that in which they are tried.
	Mistakes []Mistake `json:"mistakes,omitempty"`
	// Source is the input of the question, where a grader uses it: the string before its
	// reversal, the list before it was sorted.
	Source *Answer `json:"source,omitempty"`
	// Facts are texts that reports group by. The keys of this program are the Fact
	// constants; users may add any.
	Facts map[string]string `json:"facts,omitempty"`
	// Grader names the grader, without a version. Empty means "text" for a text and "list"
	// for a list. Package grade lists the names.
	Grader string `json:"grader,omitempty"`
}

// A Mistake is the answer that one foreseen mistake leads to.
type Mistake struct {
	Label  string `json:"label"`            // one of those that the item's grader foresees: traits.MayForesee in internal/grade lists them
	Detail string `json:"detail,omitempty"` // what is wrong, in a few words: "edit 3", "by length"
	Answer Answer `json:"answer"`           // never right
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

// A Prompt is the messages of a request, in order.
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

// An Image is a picture inside a message. Its bytes are saved once, by hash.
type Image struct {
	Path  string // as the items file names it; empty when the item was drawn
	Media string // media type, such as "image/png"
	Bytes []byte
}

// An Edition is the text of a benchmark that an item follows.
type Edition string

// The three editions: the names of the benchmark's tasks, its paper, its published code.
const (
	Standard  Edition = "standard"
	Paper     Edition = "paper"
	Reference Edition = "reference"
)

// Editions lists the editions, the default first.
func Editions() []Edition { return []Edition{Standard, Paper, Reference} }
