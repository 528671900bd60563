import type { Ledger } from './requirement.js';

/** What hostile peers, MCP servers and files cannot do. */
export const security = {
  document: 'Reliability and security',
  requirements: {
    'SEC-SCHEMA-01': {
      section: 'schemas',
      behaviour:
        'A tool whose schema takes too long to check fails its own call in time; other calls and the end of the process are not delayed.',
      owedBy: ['hub'],
    },
    'SEC-SCHEMA-02': {
      section: 'schemas',
      behaviour:
        'What is written about a schema, such as the type of a tool or the error for wrong arguments, is made in bounded time and of bounded length, whatever the schema contains and refers to.',
      owedBy: ['hub', 'proxy'],
    },
    'SEC-RESULT-01': {
      section: 'results',
      behaviour:
        'JSON in the texts of a result is rendered up to a number of values and characters of all texts together; other texts are passed on as they are, so that no result blocks other calls.',
      owedBy: ['proxy'],
    },
    'SEC-FIELD-02': {
      section: 'types of fields',
      behaviour:
        'Notifications of an MCP server with fields of any type, or of any depth, on every transport, end no process and no connection, and delay no answer.',
      owedBy: ['cli'],
    },
    'SEC-FIELD-01': {
      section: 'types of fields',
      behaviour:
        'Optional fields of tools, resources, templates and prompts that have another type than MCP says are left out, also of tools that the cache or the approvals of an earlier version have; other items and servers are unaffected.',
      owedBy: ['hub', 'proxy'],
    },
    'SEC-ENV-01': {
      section: 'environment',
      behaviour:
        'An MCP server gets basic variables and its own `env`, in every format; no variable of a2c reaches it, even if it inherits the environment.',
      owedBy: ['config', 'hub'],
    },
    'SEC-ENV-02': {
      section: 'environment',
      behaviour: 'Literal values of `env` do not appear in the history, in logs or in errors.',
      owedBy: ['hub', 'computer'],
    },
    'SEC-MASK-01': {
      section: 'environment',
      behaviour:
        'Passwords in addresses, connection strings and JSON of a configuration are never shown to an Agent: not in `client:get_config`, errors or results of requests. The mask knows every form that the redaction of texts knows.',
      owedBy: ['config', 'computer'],
    },
    'SEC-REDIRECT-02': {
      section: 'redirects',
      behaviour:
        'Agents and Computers follow no redirect of the address of their Server: the key would go to another host.',
      owedBy: ['link'],
    },
    'SEC-MASK-02': {
      section: 'environment',
      behaviour:
        'A value that a placeholder inserts into a longer text is removed from errors and logs, also where a program prints the value alone. Hosts of addresses, paths, numbers and the like are not removed.',
      owedBy: ['config', 'hub'],
    },
    'SEC-REDIRECT-01': {
      section: 'network',
      behaviour:
        'A redirect of an MCP server never leads to loopback, link-local or private addresses unless the configured address is of the same kind, even if the configuration is trusted.',
      owedBy: ['config', 'hub'],
    },
    'SEC-NAME-01': {
      section: 'names',
      behaviour:
        'Names of MCP servers, tools, offices and members with invisible, bidirectional or control characters are refused or reported, and letters of mixed scripts that look alike are reported.',
      owedBy: ['config', 'protocol', 'hub'],
    },
    'SEC-NAME-02': {
      section: 'names',
      behaviour:
        'A Computer cannot have the connection id of another Computer of its office as its name, nor that of one that joins later: that one is asked to connect again, and clients do so.',
      owedBy: ['server', 'link'],
    },
    'SEC-NAME-03': {
      section: 'names',
      behaviour:
        'No Computer can get the name for models of a tool of another one, whatever it names itself and its tools, and in whatever order they join.',
      owedBy: ['agent'],
    },
    'SEC-IDENTITY-01': {
      section: 'identities',
      behaviour:
        'Equal subjects of different authenticators are different identities: one cannot take over the seat of the other. Keys and certificates of one file are one authenticator.',
      owedBy: ['server'],
    },
    'SEC-SCOPE-05': {
      section: 'limits of keys',
      behaviour:
        'The patterns of a key apply to a tool by all of its names, also `server.tool` and `server/tool`, however the tool is called.',
      owedBy: ['computer'],
    },
    'SEC-SCOPE-06': {
      section: 'limits of keys',
      behaviour:
        'At a Computer of another maker, a tool whose MCP server is not known is refused if a denying pattern may mean it by a full name; other tools are not. The bundle id is derived from a server name in the list.',
      owedBy: ['server'],
    },
    'SEC-SCOPE-07': {
      section: 'limits of keys',
      behaviour:
        'A tool with an alias is denied by both names, each also as `bundle__tool`. Names and patterns that differ only in their Unicode normalisation are equal.',
      owedBy: ['computer', 'server'],
    },
    'SEC-SCOPE-08': {
      section: 'limits of keys',
      behaviour:
        'A permission for a full name of one MCP server does not allow a tool of another one that has the same full name; a denial applies to both.',
      owedBy: ['computer', 'server'],
    },
    'SEC-SCOPE-09': {
      section: 'limits of keys',
      behaviour:
        'A call at a Computer of another maker is not refused because another Agent leaves while the Server loads the tools for it.',
      owedBy: ['server'],
    },
    'SEC-CERT-01': {
      section: 'identities',
      behaviour:
        'A client certificate that has expired is refused, also when TLS resumes a session without it, and the sessions of its identity end when it expires.',
      owedBy: ['server'],
    },
    'SEC-NAME-04': {
      section: 'names',
      behaviour:
        'A full name of an MCP server, `server.tool`, `server/tool` or `bundle__tool`, always means a tool of this server, whatever tools others list and in any order. A tool with such a name is listed under a full name of its own server, with a warning, and permissions of keys do not apply to it by that name.',
      owedBy: ['hub', 'computer'],
    },
    'SEC-NAME-50': {
      section: 'names',
      behaviour:
        'A call says which MCP server it is meant for, if the tool list names it. A Computer does not run a tool of another server that has the name meanwhile, for example while the meant server is stopped: the tool is not found and the call was not run.',
      owedBy: ['hub', 'computer', 'agent', 'proxy'],
    },
    'SEC-ONCE-01': {
      section: 'once only',
      behaviour:
        'A call that was sent to one process of a Computer is never run by another one, whatever the clocks and delays: the repetition names the epoch of the first process.',
      owedBy: ['agent', 'computer', 'server'],
    },
    'SEC-ONCE-02': {
      section: 'once only',
      behaviour:
        'With a ledger, the id of a call is on the disk before the call runs: a restarted Computer runs no call again, and runs those that have not run.',
      owedBy: ['computer', 'cli'],
    },
    'SEC-ONCE-03': {
      section: 'once only',
      behaviour: 'The outcome of a call shows whether it has run, has not run, or may have run.',
      owedBy: ['protocol', 'agent', 'computer'],
    },
    'SEC-ONCE-04': {
      section: 'once only',
      behaviour:
        'Several processes can use one ledger: each call is run by one of them at most. A recorded id is never lost by a start, by another process or by a full disk, until newer ids take its place.',
      owedBy: ['computer'],
    },
    'SEC-ONCE-05': {
      section: 'once only',
      behaviour:
        'A call whose repetition was refused as not run does not run later, when a node that was frozen delivers the first copy. While a refusal allows this, it is reported as unknown.',
      owedBy: ['computer', 'agent'],
    },
    'SEC-ONCE-06': {
      section: 'once only',
      behaviour:
        'A call to a Computer without an epoch is not sent again because of other calls: each office has its own memory of calls, a call whose answer was dropped stays known, and a repetition that may have been forgotten, or of a former or another node, is answered as unknown.',
      owedBy: ['server'],
    },
    'SEC-ONCE-07': {
      section: 'once only',
      behaviour:
        'A repetition that was on its way for up to 10 seconds is not run if the first copy may have been sent before the start of the process, or may be one of the calls that later ones have displaced. It is reported as unknown.',
      owedBy: ['computer', 'server'],
    },
    'SEC-ONCE-08': {
      section: 'once only',
      behaviour:
        'A call that its MCP server has answered with a task or with a question has begun: no later failure says that it has not run, or causes it to be sent again. Requests about its task wait for no other calls, and go on after a new login.',
      owedBy: ['agent', 'computer', 'hub', 'proxy'],
    },
    'SEC-ONCE-10': {
      section: 'once only',
      behaviour:
        'A call that another node or Server may have sent to a Computer without an epoch is not sent again, however long this one has been running: the repetition is answered as unknown.',
      owedBy: ['agent', 'server'],
    },
    'SEC-ONCE-09': {
      section: 'once only',
      behaviour:
        'A call that was sent and fails without an answer may have run, whatever ends it: a key that is removed, limited or expired, a lost seat, or the end of the Agent. After its result has arrived, it has run. No error says that it was refused.',
      owedBy: ['agent', 'proxy'],
    },
    'SEC-ONCE-11': {
      section: 'once only',
      behaviour:
        'A ledger decides only on calls since it was begun, and on those of processes that have written in it. A repetition of a call that was sent to a process without a ledger, or with another one, is answered as unknown.',
      owedBy: ['computer'],
    },
    'SEC-ONCE-12': {
      section: 'once only',
      behaviour:
        'A repeated call that the Server refuses because the limits of its key cannot be checked is reported as unknown; one that is sent for the first time as not run.',
      owedBy: ['agent'],
    },
    'SEC-ONCE-13': {
      section: 'once only',
      behaviour:
        'A call whose Computer leaves the office or loses its connection may have run. The Server, the proxy and code mode report this, and none of them reports it as not connected. A call that the Server no longer answers is not reported as cancelled.',
      owedBy: ['proxy', 'server'],
    },
    'SEC-ONCE-14': {
      section: 'once only',
      behaviour:
        'The age of a repeated call includes the time in which the machine of the Agent slept: meanwhile a Server may have been restarted that no longer knows the call.',
      owedBy: ['agent'],
    },
    'SEC-ONCE-15': {
      section: 'once only',
      behaviour:
        'A node whose subscription was interrupted closes the connections of its members that were replaced on other nodes meanwhile: its Agents would call a process whose seat another one has.',
      owedBy: ['server'],
    },
    'COST-SHARE-04': {
      section: 'shares',
      behaviour:
        'The clients of one address use at most half of the connections of an MCP server that belong to single clients.',
      owedBy: ['hub'],
    },
    'SEC-LOCK-30': {
      section: 'local files',
      behaviour: 'A lock between processes is released although the disk is full.',
      owedBy: ['config'],
    },
    'COST-CHECK-01': {
      section: 'cost of MCP clients',
      behaviour:
        'Costly checks of arguments of one caller delay neither the checks nor the VRL scripts of others: an MCP server has up to four threads for them, and callers share these fairly.',
      owedBy: ['hub'],
    },
    'SEC-LINES-01': {
      section: 'secrets',
      behaviour:
        'Secrets are removed from the whole stderr of a server before lines of it are quoted. Each line of a secret with several lines is a secret.',
      owedBy: ['hub'],
    },
    'SEC-ASK-08': {
      section: 'questions of MCP servers',
      behaviour:
        'On the terminal, a question that follows a withdrawn one ignores keys for 700 ms, so that an answer to the first is not taken for an answer to the second.',
      owedBy: ['cli'],
    },
    'SEC-ASK-09': {
      section: 'questions of MCP servers',
      behaviour:
        'With a console, the terminal does not ask about a tool that the console always allows, and says of a question that was answered in the console.',
      owedBy: ['cli'],
    },
    'SEC-SHARE-01': {
      section: 'shares',
      behaviour:
        'In an office with several Agents, one identity has at most as many calls in flight as remain free. Where all members have the same identity, this applies to each Agent.',
      owedBy: ['server'],
    },
    'SEC-CLUSTER-01': {
      section: 'shares',
      behaviour:
        'What one member of a large office asks Redis for does not depend on the size of the office: a call to any name, and a join with any name. The list of members is read by one query at a time for each office and node.',
      owedBy: ['server'],
    },
    'SEC-RESULT-02': {
      section: 'results',
      behaviour:
        'No result of a tool is taken for an error of the protocol, or for a proof that the tool has not run, whatever fields, metadata and text it has: of a Computer of a2c it has run; of others, a result with the text of a refusal may have run. An MCP server can prove it only with HTTP 401 or 403 for the call itself.',
      owedBy: ['agent', 'computer', 'hub', 'protocol', 'server'],
    },
    'SEC-SCOPE-01': {
      section: 'limited keys',
      behaviour:
        'A limit of a key that denies an MCP server by its name or by its bundle id denies its tools, windows, resources, skills and configuration, by whichever of the two it is asked for.',
      owedBy: ['computer'],
    },
    'SEC-SCOPE-02': {
      section: 'limited keys',
      behaviour:
        'A repeated `req_id` gives a caller no result of a tool that it may not use, also if an earlier caller of the same name has run it. The refusal says whether the call has run.',
      owedBy: ['computer'],
    },
    'SEC-SCOPE-03': {
      section: 'limited keys',
      behaviour:
        'At a Computer of another maker, which knows no limits of keys, the Server enforces them by the list of tools that it loads: other tools are neither listed nor called, by any name. It refuses tools whose MCP server or own name it would need and does not know, and, for keys that are limited to MCP servers, configuration, desktop, resources, skills and blobs.',
      owedBy: ['server'],
    },
    'SEC-SKILL-01': {
      section: 'skills',
      behaviour:
        'Links of a plugin lead to no skill outside of the plugin, and the folder .git of a skill is never read.',
      owedBy: ['computer'],
    },
    'COST-SKILL-01': {
      section: 'cost of MCP servers',
      behaviour:
        'Very many skills of one MCP server, or an archive that unpacks to very much, do not block the event loop.',
      owedBy: ['computer'],
    },
    'COST-SKILL-02': {
      section: 'cost of MCP servers',
      behaviour:
        'The frontmatter of a skill is refused before it is parsed if it is large or has very many keys or marks, and before it is converted if it nests deeply, so that no skill blocks the event loop.',
      owedBy: ['computer'],
    },
    'COST-FLOOD-01': {
      section: 'cost of MCP servers',
      behaviour:
        'A server that floods its client with lines or events of any kind does not delay the calls of other servers: its messages get a share of each turn of the event loop, and it is read no further meanwhile.',
      owedBy: ['hub'],
    },
    'COST-BATCH-01': {
      section: 'cost of MCP servers',
      behaviour:
        'A batch of more than 100 messages is refused and fails the requests that its first messages answer. The messages of a server are delivered in linear time, and in several turns of the event loop.',
      owedBy: ['hub'],
    },
    'COST-EVENT-01': {
      section: 'cost of MCP servers',
      behaviour:
        'An event of an event stream has limited memory, whatever number of lines and fields it has: data over the limit fails the request that it answers. Carriage returns and unknown fields are not passed on to the SDK.',
      owedBy: ['hub'],
    },
    'COST-FILE-02': {
      section: 'cost of MCP servers',
      behaviour:
        'VRL programs of a file that a2c finds by itself, which can take minutes to compile, are not compiled before the file is trusted.',
      owedBy: ['cli'],
    },
    'COST-FILE-01': {
      section: 'cost of MCP servers',
      behaviour:
        'Texts of configuration files are searched for secrets and placeholders, and files of variables are read, in linear time.',
      owedBy: ['config'],
    },
    'COST-HOST-01': {
      section: 'cost of MCP servers',
      behaviour:
        'A host name of more than 253 characters and an `archive_uri` of more than 2,048 are refused, hosts are compared in linear time, and the warning about a skill is short.',
      owedBy: ['config', 'computer'],
    },
    'COST-STDERR-01': {
      section: 'cost of MCP servers',
      behaviour: 'The line of stderr that explains the end of a server is found in linear time.',
      owedBy: ['hub'],
    },
    'COST-TOOLS-01': {
      section: 'cost of MCP servers',
      behaviour:
        'A list of tools is compared with the approved ones in linear time, and in several turns of the event loop.',
      owedBy: ['hub'],
    },
    'COST-INSPECT-01': {
      section: 'cost of MCP servers',
      behaviour:
        'With thousands of tools, a page of `inspect` writes few more tools than it has, and is kept while the tools stay the same, within a bound of memory. The index of the search is built in several turns of the event loop. Long queries are cut first.',
      owedBy: ['proxy'],
    },
    'COST-INDEX-01': {
      section: 'cost of MCP servers',
      behaviour:
        'The index of the search takes a limited number of new words of each server. A search that meets a changed list uses the last index, and no search builds one in one turn of the event loop after the first.',
      owedBy: ['proxy'],
    },
    'COST-LIST-01': {
      section: 'cost of MCP servers',
      behaviour:
        'The pages of a list together are limited in items, values and characters, and so is each item. The warning names the limit.',
      owedBy: ['hub'],
    },
    'COST-LIST-30': {
      section: 'cost of MCP servers',
      behaviour:
        'A list of resources, templates or prompts of all servers waits three seconds for one of them, and less if it was late before. What it lists later is in the next list.',
      owedBy: ['proxy'],
    },
    'COST-TEMPLATE-01': {
      section: 'cost of MCP servers',
      behaviour:
        'The first 100 URI templates of a server, of up to 2,000 characters and 20 expressions, are compared with URIs in linear time; long lists and many links are compared in several turns of the event loop.',
      owedBy: ['proxy'],
    },
    'SEC-ASK-01': {
      section: 'questions of MCP servers',
      behaviour:
        'A question of an MCP server shows which server asks: through the proxy it begins with its name, unless the client uses a single server directly.',
      owedBy: ['proxy'],
    },
    'SEC-ASK-02': {
      section: 'questions of MCP servers',
      behaviour:
        'A server that asks a person to open a URL other than http or https, or one with a user name or a host that is not written in ASCII, gets an error.',
      owedBy: ['proxy'],
    },
    'SEC-ASK-03': {
      section: 'questions of MCP servers',
      behaviour:
        'On the terminal, a question has few lines of limited length, without blank ones, so that its title stays visible. What is left out is marked.',
      owedBy: ['cli'],
    },
    'SEC-ASK-04': {
      section: 'questions of MCP servers',
      behaviour:
        'A sampling request names the server that asks, in `_meta` and in the system prompt, and asks for no context of the proxy or of other servers, unless the client uses a single server directly.',
      owedBy: ['proxy'],
    },
    'SEC-ASK-05': {
      section: 'questions of MCP servers',
      behaviour:
        'The proxy asks for consent only with all arguments of the call. Arguments that are too long to be shown are refused, with the remedy.',
      owedBy: ['proxy'],
    },
    'SEC-SHARED-01': {
      section: 'several processes of a user',
      behaviour:
        'Changes that processes make to the settings, to the records of plugins or to stored inputs at the same time are all kept.',
      owedBy: ['config', 'computer'],
    },
    'SEC-SHARED-03': {
      section: 'several processes of a user',
      behaviour:
        'A lock whose holder is in another PID namespace, or was in an earlier boot, is not taken for one of a process that has ended: it is free when it is released, or after two minutes.',
      owedBy: ['config'],
    },
    'SEC-SHARED-02': {
      section: 'several processes of a user',
      behaviour:
        'Approvals of tools that processes make at the same time are all kept, also while another process compares the tools of the same server.',
      owedBy: ['hub'],
    },
    'SEC-ASK-07': {
      section: 'questions of MCP servers',
      behaviour:
        'The answer of a client to one question of a call is never taken for the answer to another one: keys are used once, also those that servers choose, and consent counts only after it was asked for.',
      owedBy: ['proxy'],
    },
    'SEC-ASK-06': {
      section: 'questions of MCP servers',
      behaviour:
        'On the terminal, no text of a question controls the terminal or begins another line: names, descriptions, choices, formats, defaults, and the line after a wrong answer.',
      owedBy: ['cli'],
    },
    'SEC-TEXT-03': {
      section: 'texts of MCP servers',
      behaviour:
        'In an error that the command line prints, the further lines of the text of a server are indented, so that no server can add a message of a2c.',
      owedBy: ['cli'],
    },
    'SEC-ASK-10': {
      section: 'texts of MCP servers',
      behaviour:
        'The result of a Computer asks the client of a proxy nothing: only the fields of a tool result are passed on.',
      owedBy: ['proxy'],
    },
    'SEC-TEXT-02': {
      section: 'texts of MCP servers',
      behaviour:
        'Instructions are quoted below the name of their server, in `inspect` and for several servers in pass-through mode, so that none can add a section for another server. A text that looks like a note of a2c is reported, and changed so that it does not.',
      owedBy: ['hub', 'proxy'],
    },
    'COST-AGENT-01': {
      section: 'cost of Computers',
      behaviour:
        'An Agent uses the first 10,000 tools of a Computer, and compares lists in several turns of the event loop.',
      owedBy: ['agent'],
    },
    'COST-AGENT-02': {
      section: 'cost of Computers',
      behaviour:
        'An Agent reads the lists of a Computer item by item, in several turns of the event loop. It leaves out tools with names over 1,024 characters and items over 1 MiB or 20,000 values.',
      owedBy: ['agent'],
    },
    'COST-AGENT-04': {
      section: 'cost of Computers',
      behaviour:
        'An Agent converts schemas for models in linear time, also a long chain of references and thousands of names that become the same one.',
      owedBy: ['agent'],
    },
    'COST-QUERY-01': {
      section: 'cost of Agents',
      behaviour:
        'A Computer writes its tool list once for the Agents that may see the same one, until the tools change. Queries for windows share a read that starts after they were received.',
      owedBy: ['computer'],
    },
    'COST-SHARE-01': {
      section: 'cost of Agents',
      behaviour:
        'One Agent cannot use up the uploads, pending calls, remembered results and blobs that a Computer keeps for all: the Agent that uses most makes room first. Of uploads, those of Agents that have left make room before.',
      owedBy: ['computer'],
    },
    'COST-SHARE-02': {
      section: 'cost of Agents',
      behaviour:
        'One caller of an MCP server, such as an Agent of an office or a session of the proxy, cannot use up the calls that the server executes at a time: places stay free for others, and waiting calls of different callers take turns. The HTTP sessions of one address have a common share, however many they are.',
      owedBy: ['computer', 'hub', 'proxy'],
    },
    'COST-SHARE-30': {
      section: 'cost of Agents',
      behaviour:
        'The runs of code of one client of the proxy, or of one address, do not keep other clients out of code mode: places in the sandbox stay free for others, and waiting runs of different clients take turns. The time of a run includes its waiting.',
      owedBy: ['proxy'],
    },
    'COST-SHARE-31': {
      section: 'cost of Agents',
      behaviour:
        'Clients of MCP 2026 over HTTP have no session: those of one address are one caller, and do not delay the calls of other addresses.',
      owedBy: ['proxy'],
    },
    'COST-QUERY-02': {
      section: 'cost of Agents',
      behaviour:
        'A Computer writes no answer to a query while more than 1 MiB waits to be sent, and one in each turn of the event loop, by Agents in rotation. 32 queries of an Agent of 64 KiB each may wait; one more is 429. Calls do not wait behind queries.',
      owedBy: ['computer'],
    },
    'COST-QUERY-03': {
      section: 'cost of Agents',
      behaviour: 'A Computer drops the queries of an Agent that has left, and those that have waited for 30 seconds.',
      owedBy: ['computer'],
    },
    'COST-STREAM-01': {
      section: 'cost of MCP servers',
      behaviour:
        'An event stream that ends is opened again after one second to one minute, whatever time its server asks for.',
      owedBy: ['hub'],
    },
    'COST-STREAM-02': {
      section: 'cost of MCP servers',
      behaviour:
        'A compressed event stream, which no request asks for, is refused with an error that names the reason. A compressed answer of another type is read up to the limit of a message.',
      owedBy: ['hub'],
    },
    'COST-LIST-02': {
      section: 'cost of MCP servers',
      behaviour:
        'The first changes of a tool list are read at once. A list that changes without end is read with pauses that grow.',
      owedBy: ['hub'],
    },
    'COST-LIST-03': {
      section: 'cost of MCP servers',
      behaviour: 'Instructions of more than 64 KiB are left out, with a warning.',
      owedBy: ['hub'],
    },
    'COST-LIST-04': {
      section: 'cost of MCP servers',
      behaviour:
        'A proxy forgets servers and tools that are gone, so that names which change with every list do not fill its memory. A name in pass-through mode still means the tool that it meant earlier, if its server has it.',
      owedBy: ['proxy'],
    },
    'COST-NAME-01': {
      section: 'cost of MCP servers',
      behaviour: 'The bundle id of a name is computed in linear time.',
      owedBy: ['protocol'],
    },
    'COST-NAME-04': {
      section: 'cost of MCP servers',
      behaviour:
        'Limits of keys are checked in linear time, however many tools of a list have one name, and whatever the names contain. A name of more than 16 tools, or with more than 30 combining marks in a row, which Unicode calls unsafe, is not allowed where there are limits.',
      owedBy: ['protocol', 'server'],
    },
    'COST-NAME-05': {
      section: 'cost of MCP servers',
      behaviour:
        'The hint for an unknown name ("did you mean") costs a few milliseconds, however many names there are.',
      owedBy: ['config'],
    },
    'COST-WINDOW-01': {
      section: 'cost of MCP servers',
      behaviour: 'The windows among thousands of resources are found and sorted in several turns of the event loop.',
      owedBy: ['hub'],
    },
    'COST-NAME-02': {
      section: 'cost of MCP servers',
      behaviour: 'The name of a tool is compared with patterns in linear time.',
      owedBy: ['proxy'],
    },
    'COST-NAME-03': {
      section: 'cost of MCP servers',
      behaviour:
        'Tools with names of more than 1,024 characters are left out, with a warning. Warnings show the first 100 characters of a name.',
      owedBy: ['hub'],
    },
    'COST-AGENT-03': {
      section: 'cost of Computers',
      behaviour: 'A refusal with a short `retry_after` is repeated with pauses that grow.',
      owedBy: ['agent'],
    },
    'SEC-PASTE-01': {
      section: 'messages',
      behaviour: 'Names of servers and tools in commands for pasting are quoted for the shell, and cannot be options.',
      owedBy: ['protocol'],
    },
    'COST-WAIT-30': {
      section: 'cost of MCP clients',
      behaviour:
        'Calls of one address that wait for input of their client do not end those of other addresses: over a limit of all, the oldest call of the address with the most ends.',
      owedBy: ['proxy'],
    },
    'COST-WAIT-01': {
      section: 'cost of MCP clients',
      behaviour:
        'Calls of a proxy that wait for input of their client have at most 16 MiB of text together; the oldest ends. Requests over HTTP without an answer have at most 64 MiB together.',
      owedBy: ['proxy'],
    },
    'COST-WAIT-02': {
      section: 'cost of MCP clients',
      behaviour:
        'The body of a request over HTTP is complete within 10 seconds or brings 256 KiB in each 10 seconds. Over the limit of all bodies, those that bring nothing are refused first.',
      owedBy: ['proxy'],
    },
    'COST-SESSION-01': {
      section: 'cost of MCP clients',
      behaviour:
        'A new session of a proxy over the limit ends an idle one of the address with the most sessions, first one that was never used. An address with half of the sessions makes room alone, for other addresses also with busy ones.',
      owedBy: ['proxy'],
    },
    'COST-TURN-10': {
      section: 'cost of MCP clients',
      behaviour:
        'Requests that a proxy works off in memory, such as `inspect` or the explanation of a failure, get a turn of the event loop each, in rotation by address and by client. A client that sends a request over HTTP before it has the response to the one before is disconnected.',
      owedBy: ['proxy'],
    },
    'COST-UNREAD-02': {
      section: 'cost of MCP clients',
      behaviour:
        'Answers of a proxy over HTTP that clients do not read have a limit together. Over it, the connections end whose clients have read nothing for the longest time.',
      owedBy: ['proxy'],
    },
    'COST-SUBSCRIBE-01': {
      section: 'cost of MCP clients',
      behaviour:
        'For each resource that a client subscribes to and that no server lists, each server gets at most one request, however many subscriptions are requested at once. Those that wait share one list.',
      owedBy: ['proxy'],
    },
    'COST-SKILL-03': {
      section: 'cost of MCP servers',
      behaviour:
        'The skills of one MCP server have at most 256 MiB together, an archive with the same bytes is not unpacked again, and a server that changes its skills without end is read with pauses that grow. At the end nothing is written any more.',
      owedBy: ['computer'],
    },
    'COST-SKILL-04': {
      section: 'cost of MCP servers',
      behaviour:
        'The folders of a skill of an MCP server count as files, and nest at most 32 deep: a small archive can name millions.',
      owedBy: ['computer'],
    },
    'COST-SKILL-05': {
      section: 'cost of MCP servers',
      behaviour:
        'An MCP server that does not send its skills delays neither those of other sources nor, for more than five seconds, the start of a Computer.',
      owedBy: ['computer'],
    },
    'COST-ERROR-01': {
      section: 'cost of MCP servers',
      behaviour:
        'Of the data of a JSON-RPC error, 2,000 values and 100,000 characters are kept, and the secrets that are removed from it are determined once.',
      owedBy: ['hub'],
    },
    'COST-UNREAD-01': {
      section: 'cost of MCP clients',
      behaviour:
        'A stream of a proxy ends when more than 4 MiB of notifications wait for the client. On stdio, progress and log messages are dropped then.',
      owedBy: ['proxy'],
    },
    'COST-ASK-01': {
      section: 'cost of MCP servers',
      behaviour:
        'A question of more than 256 KiB, another request of more than 4 MiB, and requests while 32 or 16 MiB of them wait get an error.',
      owedBy: ['hub'],
    },
    'FUZZ-CONFIG-01': {
      section: 'fuzzing',
      behaviour:
        'A mutated configuration file is read or refused within 100 ms of CPU time and a heap of 64 MB, and no value of it is in a message.',
      owedBy: ['config'],
    },
    'SEC-TEXT-01': {
      section: 'texts',
      behaviour:
        'Characters that hide, reorder or control text are shown escaped wherever texts of others are shown: terminal, console, consent questions, changed tools.',
      owedBy: ['protocol', 'cli', 'hub', 'proxy', 'console'],
    },
    'SEC-SANDBOX-01': {
      section: 'isolation of programs',
      behaviour:
        'With `sandbox`, the program of an MCP server reaches only the chosen folders, no network unless allowed, and no other process. The status shows it.',
      owedBy: ['hub'],
    },
    'SEC-SANDBOX-02': {
      section: 'isolation of programs',
      behaviour: 'A program with `sandbox` never starts without it: if the platform has none, the start is refused.',
      owedBy: ['hub', 'config'],
    },
    'SEC-SANDBOX-03': {
      section: 'isolation of programs',
      behaviour:
        'A program cannot widen its sandbox for the next start: a folder that leads elsewhere by a link is refused, and variables of the program do not apply to bubblewrap. Private keys and kernel settings of the system are out of reach, also for root.',
      owedBy: ['hub'],
    },
    'SEC-SANDBOX-05': {
      section: 'isolation of programs',
      behaviour:
        'bubblewrap gets the files and folders of a sandbox as open descriptors, so that none can be replaced by a link between the check and the start. The program inherits none of them.',
      owedBy: ['hub'],
    },
    'SEC-SANDBOX-30': {
      section: 'isolation of programs',
      behaviour:
        'On x86_64 and aarch64, a program in a sandbox cannot call the keyrings of the kernel: `add_key`, `request_key` and `keyctl` fail with EPERM, also with the numbers of 32-bit and x32 programs. It cannot read the names of keys.',
      owedBy: ['hub'],
    },
    'SEC-SANDBOX-04': {
      section: 'isolation of programs',
      behaviour: 'A program in a sandbox inherits no file or folder that the program which started a2c left open.',
      owedBy: ['hub'],
    },
  },
} as const satisfies Ledger;
