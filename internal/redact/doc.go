// Package redact removes secrets, such as API keys, from texts that servers and
// programs return. Collect the secrets in Secrets, make a Redactor with New, and pass
// every reply, error and message through it:
//
//	var s redact.Secrets
//	s.Add("OPENAI_API_KEY", os.Getenv("OPENAI_API_KEY"))
//	r := redact.New(&s)
//	r.Reply(&reply)
//
// A server may repeat a key in another form: escaped, encoded, with a mask (matcher.go).
// Redactor.SecretParam and LooksLikeKey recognise unknown secrets by their form.
package redact
