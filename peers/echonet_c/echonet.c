/*
 * A minimal node and controller of ECHONET Lite: one thread, blocking sockets, a table of properties. `cargo xtask bench echonet`
 * compares all other programs with it. `echonet ADDRESS` prints `ready`, and then reads commands: `measure NODE ROUNDS` is answered
 * by the microseconds and the number of lost answers.
 */
#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#define PORT 3610
#define GROUP "224.0.23.0"

struct property {
    uint8_t epc, size, edt[17];
};

static const struct property profile[] = {
    {0x80, 1, {0x30}},
    {0x82, 4, {1, 13, 1, 0}},
    {0x83, 17, {0xFE, 0xFF, 0xFF, 0xFE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}},
    {0x8A, 3, {0xFF, 0xFF, 0xFE}},
    {0x9D, 3, {2, 0x80, 0xD5}},
    {0x9E, 1, {0}},
    {0x9F, 13, {12, 0x80, 0x82, 0x83, 0x8A, 0x9D, 0x9E, 0x9F, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7}},
    {0xD3, 3, {0, 0, 1}},
    {0xD4, 2, {0, 2}},
    {0xD5, 4, {1, 0x02, 0x90, 0x01}},
    {0xD6, 4, {1, 0x02, 0x90, 0x01}},
    {0xD7, 3, {1, 0x02, 0x90}},
};
#define COUNT (sizeof profile / sizeof *profile)

static const struct property *find(uint8_t epc)
{
    for (size_t at = 0; at < COUNT; at++)
        if (profile[at].epc == epc)
            return &profile[at];
    return NULL;
}

/* Writes the answer to a Get to the node profile. Returns its length, or 0 if there is none. */
static size_t answer(const uint8_t *in, size_t length, uint8_t *out)
{
    if (length < 12 || in[0] != 0x10 || in[1] != 0x81 || in[7] != 0x0E || in[8] != 0xF0 || in[10] != 0x62)
        return 0;
    memcpy(out, in, 12);
    memcpy(out + 4, in + 7, 3);
    memcpy(out + 7, in + 4, 3);
    out[10] = 0x72;
    size_t read = 12, written = 12;
    for (int left = in[11]; left > 0; left--) {
        if (read + 2 > length || read + 2 + in[read + 1] > length || written + 19 > 1500)
            return 0;
        const struct property *it = find(in[read]);
        out[written++] = in[read];
        out[written++] = it ? it->size : 0;
        if (it)
            memcpy(out + written, it->edt, it->size);
        else
            out[10] = 0x52;
        written += it ? it->size : 0;
        read += 2 + in[read + 1];
    }
    return written;
}

static int bound(const char *address, const char *interface)
{
    int one = 1, fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    struct ip_mreq group;
    inet_pton(AF_INET, address, &to.sin_addr);
    inet_pton(AF_INET, GROUP, &group.imr_multiaddr);
    inet_pton(AF_INET, interface, &group.imr_interface);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(fd, (struct sockaddr *)&to, sizeof to) != 0)
        exit(1);
    if (strcmp(address, GROUP) == 0)
        setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &group, sizeof group);
    setsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, &group.imr_interface, sizeof group.imr_interface);
    return fd;
}

static int own, group;
static pthread_mutex_t measuring = PTHREAD_MUTEX_INITIALIZER;

static void *serve(void *unused)
{
    uint8_t in[1500], out[1500];
    struct pollfd both[2] = {{.fd = own, .events = POLLIN}, {.fd = group, .events = POLLIN}};
    for (;;) {
        /* During a measurement, this function reads the process's socket itself. */
        pthread_mutex_lock(&measuring);
        int ready = poll(both, 2, 20);
        for (int at = 0; ready > 0 && at < 2; at++) {
            struct sockaddr_in from;
            socklen_t size = sizeof from;
            ssize_t length = both[at].revents & POLLIN
                ? recvfrom(both[at].fd, in, sizeof in, 0, (struct sockaddr *)&from, &size)
                : 0;
            size_t written = length > 0 ? answer(in, (size_t)length, out) : 0;
            from.sin_port = htons(PORT);
            if (written)
                sendto(own, out, written, 0, (struct sockaddr *)&from, sizeof from);
        }
        pthread_mutex_unlock(&measuring);
    }
    return unused;
}

/* Requests a property. Returns whether the answer has arrived. */
static int ask(struct sockaddr_in to, uint16_t tid, uint8_t epc, struct in_addr node)
{
    uint8_t in[1500], frame[14] = {0x10, 0x81, (uint8_t)(tid >> 8), (uint8_t)tid, 0x05, 0xFF, 1, 0x0E, 0xF0, 1, 0x62, 1, epc, 0};
    struct pollfd one = {.fd = own, .events = POLLIN};
    sendto(own, frame, sizeof frame, 0, (struct sockaddr *)&to, sizeof to);
    while (poll(&one, 1, 100) > 0) {
        struct sockaddr_in from;
        socklen_t size = sizeof from;
        ssize_t length = recvfrom(own, in, sizeof in, 0, (struct sockaddr *)&from, &size);
        if (length >= 14 && from.sin_addr.s_addr == node.s_addr && in[2] == frame[2] && in[3] == frame[3]
            && (in[10] == 0x72 || in[10] == 0x52))
            return 1;
    }
    return 0;
}

static void measure(const char *node, long rounds)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(PORT)}, all = to;
    struct timespec begin, end;
    uint16_t tid = 0;
    long lost = 0;
    inet_pton(AF_INET, node, &to.sin_addr);
    inet_pton(AF_INET, GROUP, &all.sin_addr);
    pthread_mutex_lock(&measuring);
    int is_found = ask(all, ++tid, 0xD6, to.sin_addr);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (long round = 0; is_found && round < rounds; round++)
        for (size_t at = 0; at < COUNT; at++)
            lost += !ask(to, ++tid, profile[at].epc, to.sin_addr);
    clock_gettime(CLOCK_MONOTONIC, &end);
    pthread_mutex_unlock(&measuring);
    if (!is_found)
        printf("failed: the node is not found\n");
    else
        printf("%ld %ld\n", (end.tv_sec - begin.tv_sec) * 1000000 + (end.tv_nsec - begin.tv_nsec) / 1000, lost);
    fflush(stdout);
}

int main(int count, char **words)
{
    pthread_t server;
    char line[128], node[64];
    long rounds;
    if (count != 2)
        return 1;
    own = bound(words[1], words[1]);
    group = bound(GROUP, words[1]);
    pthread_create(&server, NULL, serve, NULL);
    printf("ready\n");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin))
        if (sscanf(line, "measure %63s %ld", node, &rounds) == 2)
            measure(node, rounds);
    return 0;
}
