/* init/1 of holder_c, to measure a state in a resource of a NIF that is written by hand. */
#include <erl_nif.h>

static ErlNifResourceType *holder;
static ERL_NIF_TERM atom_ok;

static void drop(ErlNifEnv *env, void *value)
{
}

static int load(ErlNifEnv *env, void **data, ERL_NIF_TERM info)
{
    holder = enif_open_resource_type(env, NULL, "holder", drop, ERL_NIF_RT_CREATE, NULL);
    atom_ok = enif_make_atom(env, "ok");
    return holder == NULL;
}

static ERL_NIF_TERM init(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    ErlNifUInt64 count, *state;
    ERL_NIF_TERM term;

    if (!enif_get_uint64(env, argv[0], &count))
        return enif_make_badarg(env);
    state = enif_alloc_resource(holder, sizeof *state);
    *state = count;
    term = enif_make_resource(env, state);
    enif_release_resource(state);
    return enif_make_tuple2(env, atom_ok, term);
}

static ErlNifFunc functions[] = {{"init", 1, init, 0}};

ERL_NIF_INIT(holder_c, functions, load, NULL, NULL, NULL)
