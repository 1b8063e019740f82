/* Stands between a process and its files below SHIM_FOLDER, by LD_PRELOAD. It writes down, in one order, every write,
 * truncation, new name, gone name and sync, and what goes to standard output (the acknowledgements); see disk.py, which
 * reads it. It fails when told:
 *   SHIM_SYNC=k:n    the k-th sync, from 1, and the n-1 after it fail with EIO, and nothing is synced;
 *   SHIM_FULL=k:n    once k bytes are written, one write is cut short and the n after it fail with ENOSPC;
 *   SHIM_ONLY=name   counts and fails for files whose path ends so, and no others.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *folder, *only;
static int log_fd = -1;
static long long sync_first, sync_many, syncs, full_first, full_many, written;

struct record {
    long long op, offset, path, data;
};

__attribute__((constructor)) static void begin(void) {
    folder = getenv("SHIM_FOLDER");
    only = getenv("SHIM_ONLY");
    const char *log = getenv("SHIM_LOG"), *told;
    if (log)
        log_fd = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    sync_first = full_first = -1;
    if ((told = getenv("SHIM_SYNC")))
        sscanf(told, "%lld:%lld", &sync_first, &sync_many);
    if ((told = getenv("SHIM_FULL")))
        sscanf(told, "%lld:%lld", &full_first, &full_many);
}

static void all(const void *data, size_t length) {
    while (length) {
        ssize_t done = syscall(SYS_write, log_fd, data, length);
        if (done <= 0)
            abort();
        data = (const char *)data + done;
        length -= done;
    }
}

static void note(char op, const char *path, long long offset, const void *data, size_t length) {
    struct record record = {op, offset, (long long)strlen(path), (long long)length};
    if (log_fd < 0)
        return;
    all(&record, sizeof record);
    all(path, strlen(path));
    all(data, length);
}

static int below(const char *path) {
    return folder && strncmp(path, folder, strlen(folder)) == 0;
}

static int meant(const char *path) {
    size_t length = strlen(path), end = only ? strlen(only) : 0;
    return end <= length && (!only || strcmp(path + length - end, only) == 0);
}

static int watched(int fd, char *path) {
    char link[64];
    ssize_t length;
    if (!folder)
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = syscall(SYS_readlinkat, AT_FDCWD, link, path, 4095);
    if (length < 0)
        return 0;
    path[length] = 0;
    return below(path);
}

static ssize_t keep(int fd, const void *data, size_t length, off_t offset, int moving) {
    char path[4096];
    ssize_t done;
    if (!watched(fd, path))
        return moving ? syscall(SYS_write, fd, data, length) : syscall(SYS_pwrite64, fd, data, length, offset);
    pthread_mutex_lock(&lock);
    if (moving)
        offset = lseek(fd, 0, SEEK_CUR);
    if (full_first >= 0 && meant(path) && written + (long long)length > full_first && full_many > 0) {
        if (written < full_first)
            length = full_first - written;
        else {
            full_many--;
            note('N', path, 0, "", 0);
            pthread_mutex_unlock(&lock);
            errno = ENOSPC;
            return -1;
        }
    }
    done = moving ? syscall(SYS_write, fd, data, length) : syscall(SYS_pwrite64, fd, data, length, offset);
    if (done > 0) {
        written += meant(path) ? done : 0;
        note('W', path, offset, data, done);
    }
    pthread_mutex_unlock(&lock);
    return done;
}

ssize_t write(int fd, const void *data, size_t length) {
    if (fd == 1) {
        pthread_mutex_lock(&lock);
        note('A', "", 0, data, length);
        pthread_mutex_unlock(&lock);
        return syscall(SYS_write, fd, data, length);
    }
    return keep(fd, data, length, 0, 1);
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) { return keep(fd, data, length, offset, 0); }
ssize_t pwrite64(int fd, const void *data, size_t length, off_t offset) { return keep(fd, data, length, offset, 0); }

static int shorten(int fd, off_t length) {
    char path[4096];
    int result, ours = watched(fd, path);
    pthread_mutex_lock(&lock);
    result = syscall(SYS_ftruncate, fd, length);
    if (ours && result == 0)
        note('T', path, length, "", 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int ftruncate(int fd, off_t length) { return shorten(fd, length); }
int ftruncate64(int fd, off_t length) { return shorten(fd, length); }

static int settle(int fd, long number) {
    char path[4096];
    int result;
    if (!watched(fd, path))
        return syscall(number, fd);
    pthread_mutex_lock(&lock);
    syncs += meant(path);
    if (sync_first >= 0 && meant(path) && syncs >= sync_first && syncs < sync_first + sync_many) {
        note('E', path, 0, "", 0);
        result = -1;
        errno = EIO;
    } else {
        result = syscall(number, fd);
        note(result ? 'E' : 'F', path, 0, "", 0);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

int fsync(int fd) { return settle(fd, SYS_fsync); }
int fdatasync(int fd) { return settle(fd, SYS_fdatasync); }

static int make(int at, const char *path, int flags, mode_t mode) {
    int result, is_new;
    if (!(flags & O_CREAT) || !below(path))
        return syscall(SYS_openat, at, path, flags, mode);
    pthread_mutex_lock(&lock);
    is_new = syscall(SYS_faccessat, AT_FDCWD, path, F_OK, 0) != 0;
    result = syscall(SYS_openat, at, path, flags, mode);
    if (result >= 0 && is_new)
        note('C', path, 0, "", 0);
    pthread_mutex_unlock(&lock);
    return result;
}

#define OPENING(name, at_parameter, at)                                                                                \
    int name(at_parameter const char *path, int flags, ...) {                                                          \
        va_list rest;                                                                                                  \
        mode_t mode;                                                                                                   \
        va_start(rest, flags);                                                                                         \
        mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;                                             \
        va_end(rest);                                                                                                  \
        return make(at, path, flags, mode);                                                                            \
    }
#define NONE
OPENING(open, NONE, AT_FDCWD)
OPENING(open64, NONE, AT_FDCWD)

static int forget(const char *path) {
    int result;
    pthread_mutex_lock(&lock);
    result = syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    if (result == 0 && below(path))
        note('U', path, 0, "", 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int unlink(const char *path) { return forget(path); }
