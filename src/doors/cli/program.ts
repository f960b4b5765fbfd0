/** The commands and their help: `arrowhead COMMAND`. Each command's work is loaded only when it is asked for. */

import { Command } from 'commander'
import { still } from '../../kernel/terminal-text.ts'
import { VERSION } from '../../kernel/version.ts'
import { addSettingFlags } from './setting-flags.ts'
import type { Terminal } from './terminal.ts'

const AFTER_HELP = `
Every setting is also a flag (--port 9000), an environment variable (ARROWHEAD_PORT=9000), a line in .env,
and a key in a JSON file (--config FILE, {"port": 9000}). \`arrowhead config explain\` prints them all.

Examples:
  arrowhead serve                                        an MCP client starts this over stdio
  arrowhead quickstart                                   HTTP on loopback, with a token and sample content
  arrowhead ask "what is in notes.txt?"                  the assistant, with a model that may only choose
  arrowhead tools call calculate '{"expression":"2+2"}'  one guarded call from the shell
  arrowhead logs --follow                                what was called, as it happens
`

type Work = (terminal: Terminal, options: Readonly<Record<string, unknown>>, args: readonly string[]) => Promise<number>

export function createProgram(terminal: Terminal, args: readonly string[], done: (code: number) => void): Command {
  const program = new Command('arrowhead')
    .description('Guarded tools for AI models: every call comes in by a door, runs one chain, and leaves through an exit.')
    .version(VERSION, '-v, --version', 'print the version')
    .exitOverride()
    .configureOutput({ writeOut: (text) => terminal.stdout.write(text), writeErr: (text) => terminal.stderr.write(still(text)) })
    .showHelpAfterError('(arrowhead --help lists the commands)')
    .addHelpText('after', AFTER_HELP)

  const add = (under: Command, name: string, says: string, loadWork: () => Promise<Work>): Command => {
    const command = under.command(name).description(says).option('--config <file>', 'JSON file with settings').exitOverride()
    // Two hundred flags for each of a dozen commands cost more than the whole rest of a start.
    if (args.includes(command.name())) addSettingFlags(command)
    return command.action(async (...given: unknown[]) => {
      const self = given.at(-1) as Command
      const work = await loadWork()
      done(await work(terminal, self.opts(), self.args))
    })
  }

  const serve = async () => (await import('./serve.ts')).serve
  add(program, 'serve', 'serve MCP over stdio, or over HTTP with --http', serve).option('--http', 'streamable HTTP on --host and --port')
  add(program, 'mcp-serve', 'serve one folder to another agent over stdio: search and session history, read-only', async () => (await import('./mcp-serve.ts')).mcpServe)
    .option('--cwd <dir>', 'the folder, instead of the working directory').option('--permission-mode <mode>', 'with an assistant to ask: plan, default or acceptEdits')
    .option('--max-turns <n>', 'turns of one run of the assistant').option('--max-cost <amount>', 'cost of one run').option('--dry-run', 'what the assistant writes lands aside')
  add(program, 'quickstart', 'serve HTTP on loopback with a local token and sample content', async () => (await import('./quickstart.ts')).quickstart)

  add(program, 'ask <request...>', 'have the assistant do one thing', async () => (await import('./ask.ts')).ask)
    .option('--yes', 'agree to calls that need a person, but to nothing that is restricted').option('--quiet', 'print the answer alone').option('--json', 'as JSON')
  add(program, 'chat', 'talk with the assistant', async () => (await import('./chat.ts')).chat)
    .option('--yes', 'agree to calls that need a person, but to nothing that is restricted').option('--quiet', 'do not show each step').option('--session <id>', 'go on with a session of the workspace').option('--cwd <dir>', 'the workspace of the session, instead of the working directory')
  add(program, 'api', 'serve the assistant to programs of this machine, over HTTP on loopback', async () => (await import('./api.ts')).api)

  add(program, 'undo [run]', 'take back what a request of the assistant changed in files; the newest where none is named', async () => (await import('./undo.ts')).undo)
    .option('--list', 'print what can be taken back').option('--json', 'as JSON')

  const tools = program.command('tools').description('the catalogue as this configuration serves it')
  add(tools, 'list', 'each tool: the scope it needs, level, rate, and what its entry costs a model', async () => (await import('./tools.ts')).listTools).option('--json', 'each entry as clients see it, with `about`: scope, level, rate and tokens')
  add(tools, 'show <name>', 'one tool: schemas, scope, examples', async () => (await import('./tools.ts')).showTool)
  add(tools, 'call <name> [json]', 'call a tool as the local user', async () => (await import('./tools.ts')).callTool)
  add(program, 'list-tools', 'the same as tools list', async () => (await import('./tools.ts')).listTools).option('--json', 'each entry as clients see it, with `about`: scope, level, rate and tokens')

  const policy = program.command('policy').description('what the assistant may do')
  add(policy, 'explain <tool> [arguments...]', 'why a call is or is not allowed, by which rule, and the smallest change that would turn it; nothing runs', async () => (await import('./policy.ts')).explain).option('--json', 'as JSON')
  add(policy, 'test', 'run the examples of every rule', async () => (await import('./policy.ts')).test).option('--json', 'as JSON')

  const config = program.command('config').description('the settings')
  add(config, 'explain', 'each setting: value, source and meaning', async () => (await import('./config.ts')).explain).option('--json', 'as JSON')

  const data = program.command('data').description('the database of the data tools')
  add(data, 'init', 'make the schema of vector collections', async () => (await import('./data.ts')).dataInit)
    .option('--sql', 'print it instead, for an administrator').option('--rebuild', 'empty the collections, for other dimensions').option('--json', 'as JSON')
  add(data, 'load <file...>', 'make tables of .csv, .tsv and .ndjson files, or run .sql scripts, in the embedded database', async () => (await import('./data-tables.ts')).dataLoad)
    .option('--table <name>', "the table, instead of the file's name").option('--type <column=type>', 'the type of a column, instead of what its values say; may be given again', (one: string, all: readonly string[] = []) => [...all, one]).option('--delimiter <sign>', 'what divides the fields, instead of a comma')
    .option('--replace', 'in the place of a table of that name').option('--append', 'added to the rows of that table').option('--json', 'as JSON')
  add(data, 'tables', 'each table that sql_query can read, with its columns', async () => (await import('./data-tables.ts')).dataTables).option('--json', 'as JSON')
  add(data, 'drop <table...>', 'remove tables', async () => (await import('./data-tables.ts')).dataDrop).option('--json', 'as JSON')

  const overlay = program.command('overlay').description('what dry runs would have changed')
  for (const [name, says, pick] of [['diff', 'print it', 'overlayDiff'], ['apply', 'make the changes whose places are as they were', 'overlayApply'], ['discard', 'forget it', 'overlayDiscard']] as const) {
    add(overlay, name, says, async () => (await import('./overlay.ts'))[pick]).option('--cwd <dir>', 'the workspace, instead of the working directory').option('--json', 'as JSON')
  }

  const checkpoint = program.command('checkpoint').description('what runs of the assistant changed in a workspace')
  add(checkpoint, 'list', 'each run by its session, newest first', async () => (await import('./checkpoint.ts')).checkpointList).option('--cwd <dir>', 'the workspace, instead of the working directory').option('--json', 'as JSON')
  add(checkpoint, 'restore <session>', 'put back what one run changed, and nothing else', async () => (await import('./checkpoint.ts')).checkpointRestore).option('--cwd <dir>', 'the workspace, instead of the working directory').option('--json', 'as JSON')

  const client = program.command('client').description('this server in the configuration of an MCP client')
  const inFile = (command: Command): Command => command.option('--project', "in the project's file, in the working directory").option('--file <file>', 'in this file').option('--name <entry>', 'another name than arrowhead').option('--json', 'as JSON')
  const changing = (command: Command): Command => inFile(command).option('--dry-run', 'show the change and leave the file').option('--undo', 'make the file what it was before the newest change')
  inFile(add(client, 'list', 'which clients have it', async () => (await import('./client.ts')).listClients))
  changing(add(client, 'add <client>', 'put it there', async () => (await import('./client.ts')).addClient)).option('--workspace <dir>', 'serve this folder alone, with mcp-serve').option('--url <url>', 'a server that runs, over HTTP')
    .option('--token-env <name>', 'with --url: the variable that holds the token').option('--create', 'make a file that is not there').option('--print', 'print the entry and leave the file')
  changing(add(client, 'remove <client>', 'take it out', async () => (await import('./client.ts')).removeClient))

  add(program, 'backup <dir>', 'copy what is kept on this disk, while it is served', async () => (await import('./backup.ts')).backup)
    .option('--without-database', 'leave the embedded Postgres out').option('--json', 'as JSON')
  add(program, 'restore <dir>', 'put a copy back, where nothing is yet', async () => (await import('./backup.ts')).restore).option('--json', 'as JSON')

  add(program, 'completion <shell>', 'what bash, zsh or fish reads to complete commands', async () => async (_, __, [shell]) => (await import('./completion.ts')).completion(terminal, program, shell))

  add(program, 'doctor', 'check that this machine and these settings can serve', async () => (await import('./doctor.ts')).doctor)
    .option('--token-file <file>', 'an access token to judge; - reads standard input').option('--json', 'as JSON')
  add(program, 'logs', 'the newest calls', async () => (await import('./logs.ts')).logs)
    .option('--limit <n>', 'how many', '20').option('--follow', 'keep printing').option('--json', 'as JSON lines')
  add(program.command('audit').description('the audit trail'), 'verify', 'check the chain of the audit trail', async () => (await import('./logs.ts')).verifyAudit)
    .option('--anchor <seq:hash...>', 'heads that log lines carried').option('--json', 'as JSON')
  return program
}
