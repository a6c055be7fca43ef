/* handle_cast/2 of counter_c, to measure a NIF that is written by hand. */
#include <erl_nif.h>

static ERL_NIF_TERM atom_add, atom_noreply;

static int load(ErlNifEnv *env, void **data, ERL_NIF_TERM info)
{
    atom_add = enif_make_atom(env, "add");
    atom_noreply = enif_make_atom(env, "noreply");
    return 0;
}

/* {add, By}, Count */
static ERL_NIF_TERM handle_cast(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    const ERL_NIF_TERM *add;
    int size;
    ErlNifUInt64 by, count;

    if (!enif_get_tuple(env, argv[0], &size, &add) || size != 2
        || !enif_is_identical(add[0], atom_add)
        || !enif_get_uint64(env, add[1], &by)
        || !enif_get_uint64(env, argv[1], &count))
        return enif_make_badarg(env);
    return enif_make_tuple2(env, atom_noreply, enif_make_uint64(env, count + by));
}

static ErlNifFunc functions[] = {{"handle_cast", 2, handle_cast, 0}};

ERL_NIF_INIT(counter_c, functions, load, NULL, NULL, NULL)
