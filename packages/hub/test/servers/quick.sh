# An MCP server of the older generation for tests that start many: a shell starts much faster than Node.
# It has the tools of the JSON list WORKSHOP_TOOLS, as `workshop.mjs` does, or one tool, echo. A call answers "called"
# and the name of the tool.
tools=${WORKSHOP_TOOLS:-'[{"name":"echo","inputSchema":{"type":"object"}}]'}
while IFS= read -r line; do
  id=${line##*'"id":'}
  id=${id%%[,\}]*}
  case $line in
    *'"method":"initialize"'*)
      result='{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"quick","version":"1"}}' ;;
    *'"method":"tools/list"'*) result="{\"tools\":$tools}" ;;
    *'"method":"tools/call"'*)
      name=${line#*'"params":{"name":"'}
      result="{\"content\":[{\"type\":\"text\",\"text\":\"called ${name%%'"'*}\"}]}" ;;
    *'"id":'*)
      printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}\n' "$id"
      continue ;;
    *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
