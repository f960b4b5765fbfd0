/**
 * Stages of a call that end it where the server is gone already. Whoever asks to die with its parent hears nothing of
 * one that died before it asked, so each look comes after such a wish (prctl(2), PR_SET_PDEATHSIG).
 */

const stage = (test: string): readonly string[] => ['/bin/sh', '-c', `${test} || exit 1; shift; exec "$@"`, 'sh', String(process.pid)]

/** For what the server started itself. */
export const ONLY_FOR_SERVER = stage('[ "$PPID" = "$1" ]')

/** For what stands below another process that dies with the server. One that was killed stays in the list until somebody asks how it ended. */
export const WHILE_SERVER_LIVES = stage('[ "$PPID" != 1 ] && { read -r server < "/proc/$1/stat"; } 2>/dev/null && case "$server" in *") Z "*) false ;; esac')
