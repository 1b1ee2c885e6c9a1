// The lock of the Redis documentation on redigo; a static program:
// go build redigo.go, ./holdfast check --guest ./redigo
package main

import (
	"bufio"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"strings"

	"github.com/gomodule/redigo/redis"
)

const release = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end"

func main() {
	ttl := os.Getenv("HOLDFAST_TTL_MS")
	if ttl == "" {
		ttl = "4000"
	}
	var server redis.Conn
	token := ""
	perform := func(word string, key string) (string, error) {
		if server == nil || server.Err() != nil {
			var err error
			if server, err = redis.Dial("tcp", "127.0.0.1:6379"); err != nil {
				return "", err
			}
		}
		if word == "release" {
			count, err := redis.Int(server.Do("EVAL", release, 1, key, token))
			return []string{"not-held", "released"}[count], err
		}
		bytes := make([]byte, 16)
		rand.Read(bytes)
		mine := hex.EncodeToString(bytes)
		if _, err := redis.String(server.Do("SET", key, mine, "NX", "PX", ttl)); err == redis.ErrNil {
			return "refused", nil
		} else if err != nil {
			return "", err
		}
		token = mine
		return fmt.Sprint("granted ", token, " ", ttl), nil
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		word, key, _ := strings.Cut(lines.Text(), " ")
		answer, err := perform(word, key)
		if err != nil {
			answer = map[string]string{"acquire": "failed ", "release": "unknown "}[word] + err.Error()
		}
		fmt.Println(answer)
	}
}
