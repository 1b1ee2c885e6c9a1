// redsync on redigo, unchanged; a static program: go build redsync.go, ./holdfast check --guest ./redsync
package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis/redigo"
	redigolib "github.com/gomodule/redigo/redis"
)

func main() {
	ttl := 4000
	if text := os.Getenv("HOLDFAST_TTL_MS"); text != "" {
		ttl, _ = strconv.Atoi(text)
	}
	pool := &redigolib.Pool{MaxIdle: 3, Dial: func() (redigolib.Conn, error) {
		return redigolib.Dial("tcp", "127.0.0.1:6379")
	}}
	locks := redsync.New(redigo.NewPool(pool))
	var mutex *redsync.Mutex
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		word, key, _ := strings.Cut(lines.Text(), " ")
		if word == "acquire" {
			mutex = locks.NewMutex(key, redsync.WithExpiry(time.Duration(ttl)*time.Millisecond), redsync.WithTries(1),
				// Here, an answer takes up to a quarter of a lease: upstream gives up after a twentieth.
				redsync.WithTimeoutFactor(0.75))
			err := mutex.Lock()
			switch {
			case err == nil:
				fmt.Println("granted", mutex.Value(), ttl)
			case errors.As(err, new(*redsync.ErrTaken)):
				fmt.Println("refused", strings.Fields(err.Error())[0])
			default:
				fmt.Println("failed", strings.ReplaceAll(err.Error(), "\n", " "))
			}
			continue
		}
		ok, err := mutex.Unlock()
		switch {
		case ok:
			fmt.Println("released")
		case err == nil || errors.As(err, new(*redsync.ErrTaken)) || strings.Contains(err.Error(), "already expired"):
			fmt.Println("not-held")
		default:
			fmt.Println("unknown", strings.ReplaceAll(err.Error(), "\n", " "))
		}
	}
}
