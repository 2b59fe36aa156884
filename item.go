package verbatim

// An Item is one question and its one right answer. It can be sent, graded and compared
// without the code that drew it.
type Item struct {
	// ID names the item permanently by family, version, parameters, seed and index, as in
	// "reverse@1/len=16/seed=1/7". Items of users have the id in their file.
	ID string `json:"id"`
	// Prompt is the bare question, before any variant of the plan is applied.
	Prompt Prompt `json:"messages"`
	// Inputs are what a family's wordings put into the prompt. An item that was saved or read has none.
	Inputs Inputs `json:"-"`
	// Want is the one right answer.
	Want Answer `json:"want"`
	// Accept are other right answers. Differences and measures refer to Want.
	Accept []Answer `json:"accept,omitempty"`
	// Mistakes are foreseen wrong answers, such as the sum without its carries, in the order in
	// which they are compared with the reply. A reply that gives one gets its label.
	Mistakes []Mistake `json:"mistakes,omitempty"`
	// Source is the input of the question, if a grader uses it: the string to reverse, the list
	// to sort.
	Source *Answer `json:"source,omitempty"`
	// Facts are texts by which reports group items. The keys of this program are the Fact
	// constants; users may add any.
	Facts map[string]string `json:"facts,omitempty"`
	// Grader names the grader, without a version. Empty means "text" for a text and "list"
	// for a list. Package grade lists the names.
	Grader string `json:"grader,omitempty"`
}

// A Mistake is the answer that one foreseen mistake leads to.
type Mistake struct {
	Label  string `json:"label"`            // one that the item's grader allows: traits.MayForesee in internal/grade
	Detail string `json:"detail,omitempty"` // what is wrong, in a few words: "edit 3", "by length"
	Answer Answer `json:"answer"`           // never right
}

// The facts that this program writes into items. All values are text.
const (
	FactFamily  = "family"  // "sort-int"; for items of users, the value in the file or "items"
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
	Text  string
	Image *Image
}

// An Image is a picture inside a message.
type Image struct {
	Path  string // the path in the file of items; "" if the item was drawn
	Media string // media type, such as "image/png"
	Bytes []byte // of a PNG, JPEG or WebP file
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
