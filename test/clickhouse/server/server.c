// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// A ClickHouse server for tests: the library of chdb is a whole ClickHouse, and one of its functions is the command line.
// The first argument is the path of the library, the others are those of `clickhouse local`.

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: %s libchdb.so [argument...]\n", argv[0]);
        return 2;
    }
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    void *(*command_line)(int, char **) = library ? (void *(*)(int, char **))dlsym(library, "chdb_query_cmdline") : NULL;
    if (!command_line) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    signal(SIGPIPE, SIG_IGN); // a client that goes away must not take the server with it
    argv[1] = "clickhouse";
    command_line(argc - 1, argv + 1);
    return 1; // it runs until somebody ends it
}
