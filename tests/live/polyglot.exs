# Uses the application `polyglot` from Elixir. Prints one `key=term` per line.
[ebin] = System.argv()
true = Code.prepend_path(ebin)
:ok = Application.start(:polyglot)
Logger.remove_backend(:console)

say = fn key, value -> IO.puts("#{key}=#{inspect(value)}") end

children = [
  Shop.Till |> Supervisor.child_spec(start: {Shop.Till, :start_link, [[]]}),
  %{id: :counter, start: {:counter, :start_link, [{:local, :counter}, 5, []]}}
]

{:ok, supervisor} = Supervisor.start_link(children, strategy: :one_for_one)
say.("children", Supervisor.count_children(supervisor).active)
say.("added", GenServer.call(:counter, {:add, 3}))

tea = %Shop.Item{name: "tea", price: 200}
say.("sold_first", GenServer.call(:counter, {:sell, tea}))
say.("sold_before", GenServer.call(:counter, {:sell, %Shop.Item{name: "rice"}}) == tea)
say.("sum", GenServer.call(:counter, {:add, 0}))

before = Process.whereis(:counter)
GenServer.cast(:counter, :crash)

restarted = fn restarted, times ->
  case Process.whereis(:counter) do
    pid when is_pid(pid) and pid != before -> true
    _ when times == 0 -> false
    _ -> Process.sleep(20) && restarted.(restarted, times - 1)
  end
end

say.("restarted", restarted.(restarted, 250))
say.("from_the_start", GenServer.call(:counter, {:add, 0}))

say.("behaviours", :discount.module_info(:attributes)[:behaviour])
{priced, count} = Shop.Pricing.all(:discount, 25, [tea, %Shop.Item{}, %{tea | on_sale?: true}])
say.("priced", priced == [%Shop.Item{name: "tea", price: 150, note: "reduced"}])
say.("count", count)
say.("none", Shop.Pricing.all(:discount, 25, []))
say.("too_much", Shop.Pricing.all(:discount, 101, [tea]))

say.("text", "#{tea} and #{to_string(%Shop.Item{name: "rice", price: 5})}")
say.("weight", Shop.Weighed.weigh({3, 200}, 10))

refused = fn packet ->
  try do
    Shop.Weighed.weigh(packet, 10)
  rescue
    error -> Exception.blame(:error, error, __STACKTRACE__) |> elem(0) |> Exception.message()
  end
end

say.("refused", refused.({:three, 200}) =~ "1st argument")
say.("not_implemented", refused.("text") =~ "not implemented")
say.("implements", {String.Chars.impl_for(tea), Shop.Weighed.impl_for({1}), Shop.Weighed.Tuple.__impl__(:for)})

# Checks that consolidation finds the implementations, and uses them.
path = [String.to_charlist(ebin)]
say.("found", Protocol.extract_impls(Shop.Weighed, path) ++ Protocol.extract_impls(String.Chars, path))
{:ok, consolidated} = Protocol.consolidate(Shop.Weighed, [Tuple])
{:module, _} = :code.load_binary(Shop.Weighed, 'consolidated', consolidated)
say.("consolidated", {Protocol.consolidated?(Shop.Weighed), Shop.Weighed.weigh({3, 200}, 10)})
