package grade

// Older returns the label that a label splits, or the label itself. Replies that were judged before a
// label was split are compared by the older one.
func Older(name string) string {
	for _, l := range AllLabels() {
		if l.Name == name && l.Splits != "" {
			return l.Splits
		}
	}
	return name
}
