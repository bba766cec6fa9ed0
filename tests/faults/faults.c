/* A file system that fails: preloaded, it counts the calls that change files in a folder, and at one of them
   ends the process, or answers that the disk is full or broken, from then on. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
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
static int fails_in(int dir, const char *path) {
    return path[0] == '/' || dir == AT_FDCWD ? fails(path) : fails_at(dir);
}
static int changes(int flags) { return flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC); }

#define CALL(type, name, declared, refused, ...)                                \
    type name declared {                                                        \
        static type(*real) declared;                                            \
        if (!real) real = (type(*) declared)dlsym(RTLD_NEXT, #name);            \
        return refused ? -1 : real(__VA_ARGS__);                                \
    }
#define OPEN(name)                                                              \
    int name(const char *path, int flags, ...) {                                \
        static int (*real)(const char *, int, ...);                             \
        va_list more;                                                           \
        va_start(more, flags);                                                  \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
        va_end(more);                                                           \
        if (!real) real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name); \
        return changes(flags) && fails(path) ? -1 : real(path, flags, mode);    \
    }
#define OPEN_IN(name)                                                           \
    int name(int dir, const char *path, int flags, ...) {                       \
        static int (*real)(int, const char *, int, ...);                        \
        va_list more;                                                           \
        va_start(more, flags);                                                  \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
        va_end(more);                                                           \
        if (!real) real = (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, #name); \
        return changes(flags) && fails_in(dir, path) ? -1 : real(dir, path, flags, mode); \
    }

OPEN(open)
OPEN(open64)
OPEN_IN(openat)
OPEN_IN(openat64)
CALL(ssize_t, write, (int fd, const void *b, size_t n), fails_at(fd), fd, b, n)
CALL(ssize_t, writev, (int fd, const struct iovec *v, int n), fails_at(fd), fd, v, n)
CALL(ssize_t, pwrite, (int fd, const void *b, size_t n, off_t o), fails_at(fd), fd, b, n, o)
CALL(ssize_t, pwrite64, (int fd, const void *b, size_t n, off64_t o), fails_at(fd), fd, b, n, o)
CALL(int, fsync, (int fd), fails_at(fd), fd)
CALL(int, fdatasync, (int fd), fails_at(fd), fd)
CALL(int, ftruncate, (int fd, off_t n), fails_at(fd), fd, n)
CALL(int, ftruncate64, (int fd, off64_t n), fails_at(fd), fd, n)
CALL(int, rename, (const char *a, const char *b), fails(b), a, b)
CALL(int, renameat, (int d, const char *a, int e, const char *b), fails_in(e, b), d, a, e, b)
CALL(int, unlink, (const char *p), fails(p), p)
CALL(int, unlinkat, (int d, const char *p, int f), fails_in(d, p), d, p, f)
CALL(int, rmdir, (const char *p), fails(p), p)
CALL(int, mkdir, (const char *p, mode_t m), fails(p), p, m)
CALL(int, chmod, (const char *p, mode_t m), fails(p), p, m)
