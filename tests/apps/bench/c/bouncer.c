/* handle_cast/2 of bouncer_c, to measure a NIF that is written by hand. */
#include <erl_nif.h>

static ERL_NIF_TERM atom_ball, atom_done, atom_gen_cast, atom_noreply;

static int load(ErlNifEnv *env, void **data, ERL_NIF_TERM info)
{
    atom_ball = enif_make_atom(env, "ball");
    atom_done = enif_make_atom(env, "done");
    atom_gen_cast = enif_make_atom(env, "$gen_cast");
    atom_noreply = enif_make_atom(env, "noreply");
    return 0;
}

/* {ball, Left}, {Peer, Observer} */
static ERL_NIF_TERM handle_cast(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    const ERL_NIF_TERM *ball, *state;
    int size;
    ErlNifUInt64 left;
    ErlNifPid to;
    ERL_NIF_TERM message;

    if (!enif_get_tuple(env, argv[0], &size, &ball) || size != 2
        || !enif_is_identical(ball[0], atom_ball)
        || !enif_get_uint64(env, ball[1], &left)
        || !enif_get_tuple(env, argv[1], &size, &state) || size != 2
        || !enif_get_local_pid(env, state[left == 0 ? 1 : 0], &to))
        return enif_make_badarg(env);
    if (left == 0)
        message = atom_done;
    else
        message = enif_make_tuple2(env, atom_gen_cast,
            enif_make_tuple2(env, atom_ball, enif_make_uint64(env, left - 1)));
    enif_send(env, &to, NULL, message);
    return enif_make_tuple2(env, atom_noreply, argv[1]);
}

static ErlNifFunc functions[] = {{"handle_cast", 2, handle_cast, 0}};

ERL_NIF_INIT(bouncer_c, functions, load, NULL, NULL, NULL)
