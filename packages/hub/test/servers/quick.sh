# An MCP server of the older generation for tests that start hundreds: a shell starts much faster than Node.
# Its one tool, echo, answers "x".
tool='{"name":"echo","inputSchema":{"type":"object"}}'
while IFS= read -r line; do
  id=${line##*'"id":'}
  id=${id%%[,\}]*}
  case $line in
    *'"method":"initialize"'*)
      result='{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"quick","version":"1"}}' ;;
    *'"method":"tools/list"'*) result="{\"tools\":[$tool]}" ;;
    *'"method":"tools/call"'*) result='{"content":[{"type":"text","text":"x"}]}' ;;
    *'"id":'*)
      printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}\n' "$id"
      continue ;;
    *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
