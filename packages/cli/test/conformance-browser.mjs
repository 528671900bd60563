// A browser for authorization servers that need no person: opens a page and follows its redirects.
await fetch(process.argv.at(-1));
