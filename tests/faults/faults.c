/* A file system that fails: preloaded, it counts the calls that change files in a folder, and at one of them
   ends the process, or answers that the disk is full or broken, from then on. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static char folder[4096];
static long calls, at;
static int fault; /* 0: the process ends; else an errno */

void faults_arm(const char *in, long k, int how) {
    snprintf(folder, sizeof folder, "%s", in);
    calls = 0, at = k, fault = how;
}
long faults_calls(void) { return calls; }

static int fails(const char *path) {
    if (!at || strncmp(path, folder, strlen(folder))) return 0;
    if (++calls < at) return 0;
    if (!fault) _exit(77);
    errno = fault;
    return 1;
}
static int fails_at(int fd) {
    char link[64], path[4096];
    if (!at) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n < 0) return 0;
    path[n] = 0;
    return fails(path);
}
#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

ssize_t write(int fd, const void *b, size_t n) {
    REAL(ssize_t, "write", int, const void *, size_t);
    return fails_at(fd) ? -1 : real(fd, b, n);
}
ssize_t pwrite(int fd, const void *b, size_t n, off_t o) {
    REAL(ssize_t, "pwrite", int, const void *, size_t, off_t);
    return fails_at(fd) ? -1 : real(fd, b, n, o);
}
ssize_t pwrite64(int fd, const void *b, size_t n, off64_t o) {
    REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
    return fails_at(fd) ? -1 : real(fd, b, n, o);
}
int fsync(int fd) {
    REAL(int, "fsync", int);
    return fails_at(fd) ? -1 : real(fd);
}
int fdatasync(int fd) {
    REAL(int, "fdatasync", int);
    return fails_at(fd) ? -1 : real(fd);
}
int ftruncate64(int fd, off64_t n) {
    REAL(int, "ftruncate64", int, off64_t);
    return fails_at(fd) ? -1 : real(fd, n);
}
int rename(const char *a, const char *b) {
    REAL(int, "rename", const char *, const char *);
    return fails(b) ? -1 : real(a, b);
}
int unlink(const char *p) {
    REAL(int, "unlink", const char *);
    return fails(p) ? -1 : real(p);
}
