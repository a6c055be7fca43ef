# Calls functions of the application `geometry` from Elixir. Prints one `key=term` per line.
[ebin] = System.argv()
true = Code.prepend_path(ebin)
:ok = Application.start(:geometry)

say = fn key, value -> IO.puts("#{key}=#{inspect(value)}") end

say.("between", Geometry.Distance.between({0.0, 0.0}, {3.0, 4.0}))
say.("piped", {:rectangle, 2.0, 3.0} |> :geometry.scaled(2.0) |> :geometry.area())

message =
  try do
    Geometry.Distance.between({0.0, 0.0}, {3.0, :four})
  rescue
    error in ArgumentError ->
      Exception.blame(:error, error, __STACKTRACE__) |> elem(0) |> Exception.message()
  end

say.("refused", message)

index = :search.new()
1..3 |> Task.async_stream(&:search.add(index, "word #{&1}")) |> Stream.run()
say.("tasks", :search.size(index))
