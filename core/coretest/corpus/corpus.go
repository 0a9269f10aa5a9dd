// Package corpus finds the BSON corpus of the MongoDB specifications in the Go module cache, for tests and as seeds of
// fuzz targets. It imports nothing of the core, so that every package's own tests can use it.
package corpus

import (
	"encoding/hex"
	"encoding/json"
	"go/build"
	"os"
	"path/filepath"
	"testing"
)

// module is a version of the Go driver that ships the corpus. It is no dependency: `npm run fuzz` and the JavaScript
// test of the corpus fetch it.
const module = "go.mongodb.org/mongo-driver@v1.17.4"

// A Case is one document.
type Case struct {
	Name string
	BSON []byte
	Bad  bool // to be refused, for its structure or for a value
}

// Cases returns all documents of the corpus, or none, saying so, if it is not in the module cache.
func Cases(t testing.TB) []Case {
	t.Helper()
	dir := filepath.Join(cache(), filepath.FromSlash(module), "testdata", "bson-corpus")
	files, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	if len(files) == 0 {
		t.Logf("no BSON corpus: %s is not in the module cache (go mod download %s)", module, module)
	}
	var cases []Case
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var file struct {
			Valid []struct {
				Description string
				Canonical   string `json:"canonical_bson"`
				Degenerate  string `json:"degenerate_bson"`
				Converted   string `json:"converted_bson"`
			}
			DecodeErrors []struct{ Description, BSON string }
		}
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		add := func(description, digits string, bad bool) {
			if digits == "" {
				return
			}
			data, err := hex.DecodeString(digits)
			if err != nil {
				t.Fatalf("%s: %s: %v", name, description, err)
			}
			cases = append(cases, Case{filepath.Base(name) + ": " + description, data, bad})
		}
		for _, v := range file.Valid {
			add(v.Description, v.Canonical, false)
			add(v.Description, v.Degenerate, false)
			add(v.Description, v.Converted, false)
		}
		for _, v := range file.DecodeErrors {
			add(v.Description, v.BSON, true)
		}
	}
	return cases
}

// Documents returns the bytes of all documents of the corpus.
func Documents(t testing.TB) [][]byte {
	t.Helper()
	var docs [][]byte
	for _, c := range Cases(t) {
		docs = append(docs, c.BSON)
	}
	return docs
}

func cache() string {
	if dir := os.Getenv("GOMODCACHE"); dir != "" {
		return dir
	}
	return filepath.Join(filepath.SplitList(build.Default.GOPATH)[0], "pkg", "mod")
}
