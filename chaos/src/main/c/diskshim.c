/*
 * A disk with faults, for a process whose file calls go through libc: loaded with LD_PRELOAD, it
 *
 *   - delays fsync and fdatasync by a time read from a control file that another process changes, and
 *   - keeps an undo log of everything below one directory that was not made durable yet, so that a power cut can be played
 *     after kill -9: what was written but not fsynced is taken back (io.holdfast.chaos.disk.PowerCut).
 *
 * CHAOS_DISK_DIR      absolute directory that it looks after
 * CHAOS_DISK_CONTROL  file of eight 64-bit numbers: delay in microseconds, syncs, delayed syncs, undo records
 * CHAOS_DISK_UNDO     the undo log; on another disk, as it is written also when this one is full
 * CHAOS_DISK_KEPT     directory for links to deleted files whose deletion is not durable; on the same disk
 *
 * A record goes into the undo log before the call that it would undo. A sync is recorded after it succeeded and covers the
 * records before it began. When nothing is left that could be undone the log is emptied. Nothing is ever thought durable
 * earlier than that; a directory's entries are durable after an fsync of the directory only.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { MAX_FDS = 65536, MAX_DIRTY = 4096, MAX_PATH = 4096 };
enum { DELAY_MICROS = 0, SYNCS = 1, DELAYED = 2, RECORDS = 3, WORDS = 8 };

struct record {
    uint8_t type; /* W write, T truncate, C create, R rename, U unlink, S sync */
    uint8_t unused[3];
    uint32_t length1;
    uint32_t length2;
    uint32_t unused2;
    uint64_t inode; /* the file, or for S whatever was synced */
    uint64_t a;     /* W, T: offset kept up to; C, R, U: inode of the directory; S: records before this position */
    uint64_t b;     /* W, T: size before */
};

struct dirty {
    uint64_t inode;
    uint64_t position; /* of its last record */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char directory[MAX_PATH];
static size_t directory_length;
static char kept[MAX_PATH];
static volatile uint64_t *control;
static uint8_t tracked[MAX_FDS];
static int undo = -1;
static uint64_t undo_size;
static struct dirty dirty[MAX_DIRTY];
static int dirty_count;
static int overflow;
static int syncs_running;
static uint64_t kept_number;
static int anything_kept;

static int (*real_open)(const char *, int, ...);
static int (*real_openat)(int, const char *, int, ...);
static int (*real_close)(int);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_writev)(int, const struct iovec *, int);
static int (*real_ftruncate)(int, off_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_rename)(const char *, const char *);
static int (*real_unlink)(const char *);
static int (*real_mkdir)(const char *, mode_t);

static void mark(uint64_t inode, uint64_t position) {
    for (int i = 0; i < dirty_count; i++) {
        if (dirty[i].inode == inode) {
            dirty[i].position = position;
            return;
        }
    }
    if (dirty_count == MAX_DIRTY) {
        overflow = 1;
        return;
    }
    dirty[dirty_count].inode = inode;
    dirty[dirty_count++].position = position;
}

static void unmark(uint64_t inode, uint64_t before) {
    for (int i = 0; i < dirty_count; i++) {
        if (dirty[i].inode == inode && dirty[i].position < before) {
            dirty[i] = dirty[--dirty_count];
            return;
        }
    }
}

/* What a record makes dirty: data its file, an entry its directory. */
static void account(const struct record *record, uint64_t position) {
    switch (record->type) {
        case 'W':
        case 'T':
            mark(record->inode, position);
            break;
        case 'S':
            unmark(record->inode, record->a);
            break;
        case 'U':
            /* the data of a deleted file matters only as long as its directory is dirty */
            unmark(record->inode, UINT64_MAX);
            mark(record->a, position);
            anything_kept = 1;
            break;
        default:
            mark(record->a, position);
    }
}

static void write_fully(const void *bytes, size_t length) {
    const char *at = bytes;
    while (length > 0) {
        ssize_t done = real_write(undo, at, length);
        if (done < 0) {
            if (errno == EINTR) {
                continue;
            }
            /* without its undo log the run's verdict would mean nothing */
            static const char message[] = "diskshim: the undo log cannot be written\n";
            (void) !real_write(2, message, sizeof message - 1);
            abort();
        }
        at += done;
        length -= (size_t) done;
    }
}

static void append(struct record *record, const void *bytes1, const void *bytes2) {
    if (undo < 0) {
        return;
    }
    int saved = errno;
    size_t total = sizeof *record + record->length1 + record->length2;
    char small[512];
    char *buffer = total <= sizeof small ? small : malloc(total);
    if (!buffer) {
        abort();
    }
    memcpy(buffer, record, sizeof *record);
    if (record->length1) {
        memcpy(buffer + sizeof *record, bytes1, record->length1);
    }
    if (record->length2) {
        memcpy(buffer + sizeof *record + record->length1, bytes2, record->length2);
    }
    write_fully(buffer, total);
    if (buffer != small) {
        free(buffer);
    }
    account(record, undo_size);
    undo_size += total;
    if (control) {
        __atomic_add_fetch(&control[RECORDS], 1, __ATOMIC_RELAXED);
    }
    errno = saved;
}

static void load_undo(void) {
    struct record record;
    uint64_t at = 0;
    while (pread(undo, &record, sizeof record, (off_t) at) == (ssize_t) sizeof record) {
        account(&record, at);
        at += sizeof record + record.length1 + record.length2;
    }
    undo_size = at;
    /* a record that was cut off by a kill had no effect yet */
    (void) !real_ftruncate(undo, (off_t) at);
}

#define REAL(name) *(void **) &real_##name = dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void start(void) {
    REAL(open);
    REAL(openat);
    REAL(close);
    REAL(write);
    REAL(pwrite);
    REAL(writev);
    REAL(ftruncate);
    REAL(fsync);
    REAL(fdatasync);
    REAL(rename);
    REAL(unlink);
    REAL(mkdir);
    const char *control_path = getenv("CHAOS_DISK_CONTROL");
    if (control_path) {
        int fd = real_open(control_path, O_RDWR | O_CLOEXEC);
        if (fd >= 0) {
            void *mapped = mmap(NULL, WORDS * sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
            control = mapped == MAP_FAILED ? NULL : mapped;
            real_close(fd);
        }
    }
    const char *dir = getenv("CHAOS_DISK_DIR");
    const char *undo_path = getenv("CHAOS_DISK_UNDO");
    const char *kept_path = getenv("CHAOS_DISK_KEPT");
    if (!dir || !undo_path || !kept_path || strlen(kept_path) > MAX_PATH - 64) {
        return;
    }
    snprintf(directory, sizeof directory, "%s/", dir);
    directory_length = strlen(directory);
    snprintf(kept, sizeof kept, "%s", kept_path);
    undo = real_open(undo_path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (undo >= 0) {
        real_mkdir(kept, 0755);
        load_undo();
    }
}

static int is_ours(const char *path) {
    return undo >= 0 && directory_length > 0 && strncmp(path, directory, directory_length - 1) == 0
            && (path[directory_length - 1] == '/' || path[directory_length - 1] == 0);
}

static uint64_t parent_inode(const char *path) {
    char parent[MAX_PATH];
    snprintf(parent, sizeof parent, "%s", path);
    char *slash = strrchr(parent, '/');
    if (slash && slash != parent) {
        *slash = 0;
    }
    struct stat stat_buffer;
    return stat(parent, &stat_buffer) == 0 ? (uint64_t) stat_buffer.st_ino : 0;
}

static void record_entry(char type, uint64_t inode, const char *path, const char *other) {
    struct record record = {0};
    record.type = (uint8_t) type;
    record.inode = inode;
    record.a = parent_inode(path);
    record.length1 = (uint32_t) strlen(path);
    record.length2 = other ? (uint32_t) strlen(other) : 0;
    append(&record, path, other);
}

/* A call of open; the entry is recorded after it, as only then the inode is known, but before anything is written to it. */
static int opened(int fd, const char *path, int existed) {
    if (fd >= 0 && fd < MAX_FDS && is_ours(path)) {
        tracked[fd] = 1;
        if (!existed) {
            struct stat stat_buffer;
            if (fstat(fd, &stat_buffer) == 0) {
                pthread_mutex_lock(&lock);
                record_entry('C', (uint64_t) stat_buffer.st_ino, path, NULL);
                pthread_mutex_unlock(&lock);
            }
        }
    }
    return fd;
}

static int exists(const char *path) {
    struct stat stat_buffer;
    int saved = errno;
    int found = lstat(path, &stat_buffer) == 0;
    errno = saved;
    return found;
}

static int do_open(const char *path, int flags, mode_t mode) {
    int existed = !(flags & O_CREAT) || !is_ours(path) || exists(path);
    return opened(real_open(path, flags, mode), path, existed);
}

#define MODE_ARGUMENT(flags, last)          \
    mode_t mode = 0;                        \
    if ((flags) & (O_CREAT | __O_TMPFILE)) { \
        va_list arguments;                  \
        va_start(arguments, last);          \
        mode = va_arg(arguments, mode_t);   \
        va_end(arguments);                  \
    }

int open(const char *path, int flags, ...) {
    MODE_ARGUMENT(flags, flags)
    return do_open(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    MODE_ARGUMENT(flags, flags)
    return do_open(path, flags | O_LARGEFILE, mode);
}

int openat(int base, const char *path, int flags, ...) {
    MODE_ARGUMENT(flags, flags)
    if (path[0] == '/') {
        return do_open(path, flags, mode);
    }
    return real_openat(base, path, flags, mode);
}

int openat64(int base, const char *path, int flags, ...) {
    MODE_ARGUMENT(flags, flags)
    if (path[0] == '/') {
        return do_open(path, flags | O_LARGEFILE, mode);
    }
    return real_openat(base, path, flags | O_LARGEFILE, mode);
}

int close(int fd) {
    if (fd >= 0 && fd < MAX_FDS) {
        tracked[fd] = 0;
    }
    return real_close(fd);
}

static int is_tracked(int fd) {
    return fd >= 0 && fd < MAX_FDS && tracked[fd];
}

/* Before bytes from an offset on are overwritten, or cut off: keeps what is there. */
static void record_data(char type, int fd, off_t offset, size_t length) {
    struct stat stat_buffer;
    if (fstat(fd, &stat_buffer) != 0 || !S_ISREG(stat_buffer.st_mode)) {
        return;
    }
    struct record record = {0};
    record.type = (uint8_t) type;
    record.inode = (uint64_t) stat_buffer.st_ino;
    record.a = (uint64_t) offset;
    record.b = (uint64_t) stat_buffer.st_size;
    void *old = NULL;
    if (offset < stat_buffer.st_size) {
        off_t end = offset + (off_t) length;
        size_t there = (size_t) ((end < stat_buffer.st_size ? end : stat_buffer.st_size) - offset);
        old = malloc(there);
        if (!old || pread(fd, old, there, offset) != (ssize_t) there) {
            abort();
        }
        record.length1 = (uint32_t) there;
    }
    append(&record, old, NULL);
    free(old);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
    if (!is_tracked(fd)) {
        return real_pwrite(fd, bytes, length, offset);
    }
    pthread_mutex_lock(&lock);
    record_data('W', fd, offset, length);
    ssize_t done = real_pwrite(fd, bytes, length, offset);
    pthread_mutex_unlock(&lock);
    return done;
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) {
    return pwrite(fd, bytes, length, offset);
}

static off_t write_offset(int fd) {
    if (fcntl(fd, F_GETFL) & O_APPEND) {
        struct stat stat_buffer;
        return fstat(fd, &stat_buffer) == 0 ? stat_buffer.st_size : 0;
    }
    return lseek(fd, 0, SEEK_CUR);
}

ssize_t write(int fd, const void *bytes, size_t length) {
    if (!is_tracked(fd)) {
        return real_write(fd, bytes, length);
    }
    pthread_mutex_lock(&lock);
    record_data('W', fd, write_offset(fd), length);
    ssize_t done = real_write(fd, bytes, length);
    pthread_mutex_unlock(&lock);
    return done;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    if (!is_tracked(fd)) {
        return real_writev(fd, parts, count);
    }
    size_t length = 0;
    for (int i = 0; i < count; i++) {
        length += parts[i].iov_len;
    }
    pthread_mutex_lock(&lock);
    record_data('W', fd, write_offset(fd), length);
    ssize_t done = real_writev(fd, parts, count);
    pthread_mutex_unlock(&lock);
    return done;
}

int ftruncate(int fd, off_t size) {
    if (!is_tracked(fd)) {
        return real_ftruncate(fd, size);
    }
    pthread_mutex_lock(&lock);
    record_data('T', fd, size, (size_t) INT32_MAX);
    int result = real_ftruncate(fd, size);
    pthread_mutex_unlock(&lock);
    return result;
}

int ftruncate64(int fd, off64_t size) {
    return ftruncate(fd, size);
}

/* Deleting and replacing: a link keeps the file until the directory is durable. */
static void keep(const char *path) {
    struct stat stat_buffer;
    if (lstat(path, &stat_buffer) != 0 || !S_ISREG(stat_buffer.st_mode)) {
        return;
    }
    char link_path[MAX_PATH];
    snprintf(link_path, sizeof link_path, "%.*s/%llu-%llu", MAX_PATH - 64, kept, (unsigned long long) getpid(),
            (unsigned long long) kept_number++);
    if (link(path, link_path) == 0) {
        record_entry('U', (uint64_t) stat_buffer.st_ino, path, link_path);
    }
}

int rename(const char *from, const char *to) {
    if (!is_ours(from)) {
        return real_rename(from, to);
    }
    pthread_mutex_lock(&lock);
    struct stat stat_buffer;
    if (lstat(from, &stat_buffer) == 0) {
        keep(to);
        record_entry('R', (uint64_t) stat_buffer.st_ino, to, from);
    }
    int result = real_rename(from, to);
    pthread_mutex_unlock(&lock);
    return result;
}

int unlink(const char *path) {
    if (!is_ours(path)) {
        return real_unlink(path);
    }
    pthread_mutex_lock(&lock);
    keep(path);
    int result = real_unlink(path);
    pthread_mutex_unlock(&lock);
    return result;
}

int mkdir(const char *path, mode_t mode) {
    int result = real_mkdir(path, mode);
    struct stat stat_buffer;
    if (result == 0 && is_ours(path) && lstat(path, &stat_buffer) == 0) {
        pthread_mutex_lock(&lock);
        record_entry('C', (uint64_t) stat_buffer.st_ino, path, NULL);
        pthread_mutex_unlock(&lock);
    }
    return result;
}

static void delay(void) {
    if (!control) {
        return;
    }
    uint64_t micros = control[DELAY_MICROS];
    __atomic_add_fetch(&control[SYNCS], 1, __ATOMIC_RELAXED);
    if (micros > 0) {
        __atomic_add_fetch(&control[DELAYED], 1, __ATOMIC_RELAXED);
        struct timespec left = {(time_t) (micros / 1000000), (long) (micros % 1000000) * 1000};
        while (nanosleep(&left, &left) != 0 && errno == EINTR) {
        }
    }
}

static void drop_kept(void) {
    DIR *links = anything_kept ? opendir(kept) : NULL;
    if (!links) {
        return;
    }
    struct dirent *link;
    while ((link = readdir(links)) != NULL) {
        if (link->d_name[0] != '.') {
            unlinkat(dirfd(links), link->d_name, 0);
        }
    }
    closedir(links);
    anything_kept = 0;
}

static int sync_file(int fd, int (*real)(int)) {
    struct stat stat_buffer;
    int ours = undo >= 0 && is_tracked(fd) && fstat(fd, &stat_buffer) == 0;
    if (!ours) {
        return real(fd);
    }
    pthread_mutex_lock(&lock);
    syncs_running++;
    uint64_t before = undo_size;
    pthread_mutex_unlock(&lock);
    delay();
    int result = real(fd);
    pthread_mutex_lock(&lock);
    syncs_running--;
    if (result == 0) {
        struct record record = {0};
        record.type = 'S';
        record.inode = (uint64_t) stat_buffer.st_ino;
        record.a = before;
        append(&record, NULL, NULL);
        if (dirty_count == 0 && !overflow && syncs_running == 0 && real_ftruncate(undo, 0) == 0) {
            undo_size = 0;
            drop_kept();
        }
    }
    pthread_mutex_unlock(&lock);
    return result;
}

int fsync(int fd) {
    return sync_file(fd, real_fsync);
}

int fdatasync(int fd) {
    return sync_file(fd, real_fdatasync);
}
