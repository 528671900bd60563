// Starts a Computer with one MCP server at an address, and prints its skills and warnings as JSON.
import { Computer } from '@a2c/computer';
import { readConfig } from '@a2c/config';

const [, , url, home] = process.argv;
const entry = { name: 'far', type: 'streamable', server_parameters: { url } };
const { config } = readConfig(JSON.stringify([entry]), { file: 'far.json' });
const warnings = [];
const logger = { debug() {}, info() {}, warn: (...parts) => warnings.push(JSON.stringify(parts)), error() {} };
const computer = new Computer({ name: 'pc', mcpServers: config.servers, skills: { home }, logger });
await computer.boot();
const read = async ({ name }) => ({ name, text: (await computer.readSkill(name)).bytes.toString() });
const skills = await Promise.all(computer.skills().map(read));
await computer.close();
process.stdout.write(JSON.stringify({ skills, warnings }));
