/* handle_cast/2 of burner_c: a NIF on a dirty scheduler that is written by hand. */
#include <erl_nif.h>
#include <time.h>

static ERL_NIF_TERM atom_dirty, atom_noreply;

static int load(ErlNifEnv *env, void **data, ERL_NIF_TERM info)
{
    atom_dirty = enif_make_atom(env, "dirty");
    atom_noreply = enif_make_atom(env, "noreply");
    return 0;
}

static ErlNifUInt64 now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * 1000000ULL + now.tv_nsec / 1000;
}

/* {dirty, Deadline}, State */
static ERL_NIF_TERM handle_cast(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    const ERL_NIF_TERM *dirty;
    int size;
    ErlNifUInt64 deadline;
    volatile int step;

    if (!enif_get_tuple(env, argv[0], &size, &dirty) || size != 2
        || !enif_is_identical(dirty[0], atom_dirty)
        || !enif_get_uint64(env, dirty[1], &deadline))
        return enif_make_badarg(env);
    while (now() < deadline)
        for (step = 0; step < 5000; step++)
            ;
    return enif_make_tuple2(env, atom_noreply, argv[1]);
}

static ErlNifFunc functions[] = {{"handle_cast", 2, handle_cast, ERL_NIF_DIRTY_JOB_CPU_BOUND}};

ERL_NIF_INIT(burner_c, functions, load, NULL, NULL, NULL)
