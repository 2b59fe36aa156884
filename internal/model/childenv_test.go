package model

import (
	"slices"
	"strings"
	"testing"

	"verbatim/internal/redact"
)

// A command inherits what it needs and no secret, but for those that are passed by
// name.
func TestChildEnv(t *testing.T) {
	plain := []string{"PATH=/bin", "HOME=/home/a", "LANG=C", "LC_ALL=C", "PWD=/w", "OLDPWD=/", "TMPDIR=/tmp", "SHELL=/bin/sh", "CUDA_VISIBLE_DEVICES=0", "TOKENIZERS_PARALLELISM=false",
		"PYTHONPATH=/p", "XDG_SESSION_TYPE=tty", "KEYBOARD=us", "AWS_PROFILE=a", "HTTP_PROXY=http://proxy:3128", "PASSAGE=x", "=C:=C:\\", "AUTHOR=a"}
	secret := []string{"VERBATIM_API_KEY=q7Zp4422xkLm90Wv", "AWS_SECRET_ACCESS_KEY=q7Zp4422xkLm90Wv", "AWS_ACCESS_KEY_ID=q7Zp4422xkLm90Wv", "HF_TOKEN=q7Zp4422xkLm90Wv", "githubtoken=q7Zp4422xkLm90Wv", "CI_JOB_TOKEN_2=q7Zp4422xkLm90Wv", "PGPASSWORD=q7Zp4422xkLm90Wv",
		"DB_PASSWD=q7Zp4422xkLm90Wv", "DB_PASS=q7Zp4422xkLm90Wv", "MYSQL_PWD=q7Zp4422xkLm90Wv", "SSH_AUTH_SOCK=/tmp/q7Zp4422xkLm90Wv", "GOOGLE_APPLICATION_CREDENTIALS=/q7Zp4422xkLm90Wv", "CLIENT_SECRET=q7Zp4422xkLm90Wv", "SESSION_COOKIE=q7Zp4422xkLm90Wv", "GITHUB_PAT=q7Zp4422xkLm90Wv",
		"SENTRY_DSN=q7Zp4422xkLm90Wv", "DATABASE_URL=postgres://joe:q7Zp4422xkLm90Wv@db/x", "ALL_PROXY=http://q7Zp4422xkLm90Wv@proxy:1", "MY_BOX=q7Zp4422xkLm90Wv", "MY_HEADER=q7Zp4422xkLm90Wv", "MY_PROXY=q7Zp4422xkLm90Wv"}
	for _, p := range Providers() {
		for _, name := range p.KeyEnv {
			secret = append(secret, name+"=q7Zp4422xkLm90Wv")
		}
	}
	o := Options{Environ: func() []string { return slices.Concat(plain, secret) }}
	o.Config = trustedFile(t, "[models.x]\nbase_url = \"https://h/v1\"\nkey_env = \"MY_BOX\"\nheaders = { X-A = \"env:MY_HEADER\" }\nproxy = \"env:MY_PROXY\"\n")
	env, err := o.childEnv()
	if err != nil || !slices.Equal(env, plain) {
		t.Errorf("%v\n%q\nwant\n%q", err, env, plain)
	}
	for _, v := range secret {
		alone := Options{Environ: func() []string { return []string{v} }, Config: o.Config}
		if _, value, _ := strings.Cut(v, "="); !redact.New(alone.childSecrets()).Holds("it says " + value + ".") {
			t.Errorf("%s: a command may repeat it", v)
		}
	}
	o.PassEnv = []string{"HF_TOKEN", "LANG"}
	if env, err := o.childEnv(); err != nil || len(env) != len(plain)+1 || !slices.Contains(env, "HF_TOKEN=q7Zp4422xkLm90Wv") {
		t.Errorf("%v, %q", err, env)
	}
	o.PassEnv = []string{"HF_TOKEN", "NOWHERE"}
	if _, err := o.childEnv(); err == nil || !strings.Contains(err.Error(), "NOWHERE") || strings.Contains(err.Error(), "HF_TOKEN") {
		t.Errorf("%v", err)
	}
}
