package model

import (
	"slices"
	"strings"
	"testing"
)

// A command inherits what it needs and no secret, but for those that are passed by
// name.
func TestChildEnv(t *testing.T) {
	plain := []string{"PATH=/bin", "HOME=/home/a", "LANG=C", "LC_ALL=C", "PWD=/w", "OLDPWD=/", "TMPDIR=/tmp", "SHELL=/bin/sh", "CUDA_VISIBLE_DEVICES=0", "TOKENIZERS_PARALLELISM=false",
		"PYTHONPATH=/p", "XDG_SESSION_TYPE=tty", "KEYBOARD=us", "AWS_PROFILE=a", "HTTP_PROXY=http://proxy:3128", "PASSAGE=x", "=C:=C:\\", "AUTHOR=a"}
	secret := []string{"VERBATIM_API_KEY=secret-1234", "AWS_SECRET_ACCESS_KEY=secret-1234", "AWS_ACCESS_KEY_ID=secret-1234", "HF_TOKEN=secret-1234", "githubtoken=secret-1234", "CI_JOB_TOKEN_2=secret-1234", "PGPASSWORD=secret-1234",
		"DB_PASSWD=secret-1234", "DB_PASS=secret-1234", "MYSQL_PWD=secret-1234", "SSH_AUTH_SOCK=/tmp/secret-1234", "GOOGLE_APPLICATION_CREDENTIALS=/secret-1234", "CLIENT_SECRET=secret-1234", "SESSION_COOKIE=secret-1234", "GITHUB_PAT=secret-1234",
		"SENTRY_DSN=secret-1234", "DATABASE_URL=postgres://joe:secret-1234@db/x", "ALL_PROXY=http://secret-1234@proxy:1", "MY_BOX=secret-1234", "MY_HEADER=secret-1234", "MY_PROXY=secret-1234"}
	for _, p := range Providers() {
		for _, name := range p.KeyEnv {
			secret = append(secret, name+"=secret-1234")
		}
	}
	o := Options{Environ: func() []string { return slices.Concat(plain, secret) }}
	o.Config = readConfig(t, "[models.x]\nbase_url = \"https://h/v1\"\nkey_env = \"MY_BOX\"\nheaders = { X-A = \"env:MY_HEADER\" }\nproxy = \"env:MY_PROXY\"\n")
	env, words, err := o.childEnv()
	if err != nil || !slices.Equal(env, plain) {
		t.Errorf("%v\n%q\nwant\n%q", err, env, plain)
	}
	if len(words) != len(secret) {
		t.Errorf("%d secrets, want %d", len(words), len(secret))
	}
	o.PassEnv = []string{"HF_TOKEN", "LANG"}
	if env, _, err := o.childEnv(); err != nil || len(env) != len(plain)+1 || !slices.Contains(env, "HF_TOKEN=secret-1234") {
		t.Errorf("%v, %q", err, env)
	}
	o.PassEnv = []string{"HF_TOKEN", "NOWHERE"}
	if _, _, err := o.childEnv(); err == nil || !strings.Contains(err.Error(), "NOWHERE") || strings.Contains(err.Error(), "HF_TOKEN") {
		t.Errorf("%v", err)
	}
}
