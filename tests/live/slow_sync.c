/* A slow disk: while the file that SLOW_SYNC names exists, functions that synchronise a file take up
   to 300 ms longer. The VM is started with this library before all others (LD_PRELOAD). */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void wait_if_slow(void) {
    const char *file = getenv("SLOW_SYNC");
    if (file != NULL && access(file, F_OK) == 0) {
        usleep((useconds_t)(random() % 300000));
    }
}

int fsync(int file) {
    wait_if_slow();
    return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
    wait_if_slow();
    return (int)syscall(SYS_fdatasync, file);
}
