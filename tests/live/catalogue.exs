# The unchanged Elixir side of a library with serde_rustler's mapping. Prints one `key=term` per
# line.
defmodule Catalogue.Animal do
  defstruct kind: :cat, name: "", age: 0, owner: nil, marks: %{}
end

defmodule Catalogue.Wild do
  defstruct [:range]
end

# Elixir knows a struct only in modules after the one that defines it.
defmodule Live do
  alias Catalogue.{Animal, Wild}

  def main([ebin]) do
    true = Code.prepend_path(ebin)
    :ok = Application.start(:migrated)
    Logger.remove_backend(:console)

    say = fn key, value -> IO.puts("#{key}=#{inspect(value)}") end

    raised = fn call ->
      try do
        {:returned, call.()}
      catch
        _, reason -> reason
      end
    end

    rex = %Animal{kind: {:dog, "collie"}, name: "Rex", age: 3, owner: "Ada", marks: %{"ear" => {1, 0.5}}}
    say.("older", :"Elixir.Plane".older(rex) == %{rex | age: 4})
    say.("younger", Catalogue.younger(rex) == {:ok, %{rex | age: 2}})
    say.("unborn", Catalogue.younger(%{rex | age: 0}))
    say.("renamed", Catalogue.renamed(%Animal{}, "Tom") == %Animal{name: "Tom"})
    say.("is_a_struct", match?(%Animal{owner: nil}, Catalogue.renamed(%Animal{}, "Tom")))

    for kind <- [:cat, {:dog, "pug"}, {:cross, :cat, {:dog, "pug"}}, %Wild{range: 7}] do
      ^kind = Catalogue.kind(kind)
    end

    say.("kinds", true)
    say.("unheard", Catalogue.unheard())
    say.("unheard_is_read", Catalogue.kind("an_atom_that_nobody_has_used"))
    # Now the VM has the atom, and the same function returns it.
    _ = String.to_atom(Enum.join(["an_atom_that_nobody", "has_used"], "_"))
    say.("heard", Catalogue.unheard())

    say.("undefined", raised.(fn -> Catalogue.renamed(%{rex | owner: :undefined}, "Tom") end))
    say.("no_struct", raised.(fn -> Catalogue.renamed(Map.from_struct(rex), "Tom") end))
    say.("wraps", Catalogue.renamed(%{rex | age: 257}, "Tom").age)
    say.("improper", raised.(fn -> Catalogue.kind([:cat | :dog]) end))
    deep = Enum.reduce(1..100_000, :cat, fn _, inner -> {:cross, :cat, inner} end)
    say.("deep", raised.(fn -> Catalogue.kind(deep) end) != {:returned, deep})
    say.("shallow", Catalogue.kind(Enum.reduce(1..5_000, :cat, fn _, inner -> {:cross, :cat, inner} end)) |> is_tuple())
    say.("infinite", raised.(fn -> Catalogue.infinite() end) |> is_tuple())
    say.("alive", Catalogue.kind(:cat))
  end
end

Live.main(System.argv())
