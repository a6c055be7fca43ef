//! Stand-ins for the enif_* symbols, so that test executables link without an Erlang VM
