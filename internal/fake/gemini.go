package fake

var gemini = protocol{name: "gemini"}
