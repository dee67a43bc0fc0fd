// API keys, agents, and connecting an agent.
import { messages } from "./messages.ts";

export const credentialTexts = messages({
  en: {
    kinds: { api_key: "API key", agent: "agent token", login: "CLI session", oauth: "connected app" },
    trusts: ({ subject, issuer }: { subject: string; issuer: string }) => `trusts ${subject} of ${issuer}`,
    name: "Name",
    nameHint: "A name you'll recognize later.",
    permissions: "Permissions",
    can: ({ scope }: { scope: string }) => `Can ${scope}.`,
    chooseScope: "Choose at least one scope.",
    where: "Where",
    everywhere: "All my workspaces",
    onlyIn: ({ name, slug }: { name: string; slug: string }) => `Only ${name} (${slug})`,
    expiresIn: "Expires in",
    trustCi: "For CI: trust its jobs, without a token",
    trustCiText:
      "GitHub and GitLab give each job an ID token. The agent accepts the tokens of this issuer and subject, so there is no secret to store.",
    issuer: "Issuer",
    issuerHint: "https://token.actions.githubusercontent.com, https://gitlab.com or another",
    subject: "Subject",
    subjectHint: "repo:your-org/site:ref:refs/heads/main, or repo:your-org/site:* for any branch",
    createKey: "Create key",
    createToken: "Create token",
    lastUsed: "Last used",
    expires: "Expires",
    neverUsed: "Never used",
    never: "Never",
    inWorkspace: ({ name }: { name: string }) => `in ${name}`,
    shownOnce: "Copy it now – you won't be able to see it again.",
    actions: "Actions",
    rotate: "Rotate",
    revoke: "Revoke",
    revokeOne: ({ name }: { name: string }) => `Revoke “${name}”`,
    keysTitle: "API keys",
    keysIntro:
      "A key acts on your behalf, limited to its scopes and your own permissions. Keys of workspaces you administer are listed too.",
    keyCreated: ({ name }: { name: string }) => `Key “${name}” created`,
    copyKey: "Copy the key",
    rotated: "The old key keeps working for 24 hours, so that you can replace it everywhere.",
    keyRevoked: "Revoked, together with everything created with it.",
    rotateQuestion: "Creates a new key; this one keeps working for 24 hours.",
    revokeKeyQuestion: "Anything using this key will stop working. This can't be undone.",
    noKeys: "No keys yet.",
    createAKey: "Create a key",
    agentsTitle: "Agents",
    agentsIntro:
      "Agents, CLI sessions and apps that can act on your behalf. Revoking one also revokes the agents and links it created.",
    theAgent: ({ name }: { name: string }) => `The agent “${name}”`,
    agentTrusts: ({ name, subject }: { name: string; subject: string }) => `The agent “${name}” trusts ${subject}`,
    agentTrustsText: ({ url }: { url: string }) =>
      `Give its identifier to the job. It is not secret. The job's ID token must be for ${url}.`,
    jobVariables: "Variables of the job",
    aboutAgent: "the agent",
    tokenCreated: ({ name }: { name: string }) => `Token “${name}” created`,
    copyToken: "Copy the token",
    revoked: "Revoked.",
    agentsCaption: "Agents, CLI sessions and connected apps",
    revokeQuestion: "It stops working immediately. This can't be undone.",
    noAgents:
      "No connected agents yet. <code>plinth login</code> on a computer, or <connect>an agent that you connect</connect>, appears here.",
    createAgentToken: "Create a token for an agent",
    createAToken: "Create a token",
  },
  de: {
    kinds: { api_key: "API-Schlüssel", agent: "Agenten-Token", login: "CLI-Sitzung", oauth: "verbundene App" },
    trusts: ({ subject, issuer }) => `vertraut ${subject} von ${issuer}`,
    name: "Name",
    nameHint: "Ein Name, den du später wiedererkennst.",
    permissions: "Berechtigungen",
    can: ({ scope }) => `Kann ${scope}.`,
    chooseScope: "Mindestens einen Scope auswählen.",
    where: "Wo",
    everywhere: "Alle meine Workspaces",
    onlyIn: ({ name, slug }) => `Nur ${name} (${slug})`,
    expiresIn: "Läuft ab in",
    trustCi: "Für CI: den Jobs vertrauen, ohne Token",
    trustCiText:
      "GitHub und GitLab geben jedem Job ein ID-Token. Der Agent akzeptiert die Tokens dieses Ausstellers und Subjekts; es ist kein Geheimnis zu speichern.",
    issuer: "Aussteller",
    issuerHint: "https://token.actions.githubusercontent.com, https://gitlab.com oder ein anderer",
    subject: "Subjekt",
    subjectHint: "repo:your-org/site:ref:refs/heads/main, oder repo:your-org/site:* für jeden Branch",
    createKey: "Schlüssel erstellen",
    createToken: "Token erstellen",
    lastUsed: "Zuletzt verwendet",
    expires: "Läuft ab",
    neverUsed: "Nie verwendet",
    never: "Nie",
    inWorkspace: ({ name }) => `in ${name}`,
    shownOnce: "Jetzt kopieren – später ist es nicht mehr zu sehen.",
    actions: "Aktionen",
    rotate: "Rotieren",
    revoke: "Widerrufen",
    revokeOne: ({ name }) => `„${name}“ widerrufen`,
    keysTitle: "API-Schlüssel",
    keysIntro:
      "Ein Schlüssel handelt in deinem Namen, begrenzt auf seine Scopes und deine eigenen Berechtigungen. Schlüssel von Workspaces, die du verwaltest, stehen auch hier.",
    keyCreated: ({ name }) => `Schlüssel „${name}“ erstellt`,
    copyKey: "Schlüssel kopieren",
    rotated: "Der alte Schlüssel funktioniert noch 24 Stunden, damit du ihn überall ersetzen kannst.",
    keyRevoked: "Widerrufen, zusammen mit allem, was damit erstellt wurde.",
    rotateQuestion: "Erstellt einen neuen Schlüssel; dieser funktioniert noch 24 Stunden.",
    revokeKeyQuestion:
      "Alles, was diesen Schlüssel verwendet, funktioniert nicht mehr. Das lässt sich nicht rückgängig machen.",
    noKeys: "Noch keine Schlüssel.",
    createAKey: "Schlüssel erstellen",
    agentsTitle: "Agenten",
    agentsIntro:
      "Agenten, CLI-Sitzungen und Apps, die in deinem Namen handeln können. Beim Widerrufen werden auch die Agenten und Links widerrufen, die damit erstellt wurden.",
    theAgent: ({ name }) => `Der Agent „${name}“`,
    agentTrusts: ({ name, subject }) => `Der Agent „${name}“ vertraut ${subject}`,
    agentTrustsText: ({ url }) =>
      `Gib dem Job seine Kennung. Sie ist nicht geheim. Das ID-Token des Jobs muss für ${url} gelten.`,
    jobVariables: "Variablen des Jobs",
    aboutAgent: "den Agenten",
    tokenCreated: ({ name }) => `Token „${name}“ erstellt`,
    copyToken: "Token kopieren",
    revoked: "Widerrufen.",
    agentsCaption: "Agenten, CLI-Sitzungen und verbundene Apps",
    revokeQuestion: "Der Zugriff endet sofort. Das lässt sich nicht rückgängig machen.",
    noAgents:
      "Noch keine verbundenen Agenten. <code>plinth login</code> auf einem Computer oder <connect>ein Agent, den du verbindest</connect>, erscheint hier.",
    createAgentToken: "Token für einen Agenten erstellen",
    createAToken: "Token erstellen",
  },
});

export const connectTexts = messages({
  en: {
    title: "Connect an agent",
    intro:
      "Let your agent publish for you: it gets tools to publish, read, edit and share – with only the permissions you grant.",
    status: "Connection status",
    createKey: "<keys>Create a key</keys> that can only publish.",
    commandLine: "The command line",
    commandLineText:
      "For you, for scripts and for agents that work in a terminal. This instance provides its own version of <code>plinth</code> and verifies the download by its checksum.",
    terminal: "Terminal",
    orNpm: "or npm, with Node 20 or newer",
    aboutCommandLine: "the command line",
    more: "Agents can discover this instance by <llms>llms.txt</llms>. <skill>SKILL.md</skill> goes into a coding agent's skills folder, for example <code>.claude/skills/plinth/</code>.",
    connected: "Connected",
    by: "by the <credential/>",
    credential: ({ kind, name }: { kind: string; name: string }) => `${kind} “${name}”`,
    waiting: "Waiting for a connection",
    updates: "This page updates automatically.",
    reloadAfter: "Reload this page after you connect one.",
    connectedAgo: "connected <time/>",
    secondsAgo: ({ seconds }: { seconds: number }) => `${seconds} s ago`,
    try: "Try: <request>“Publish this README with Plinth.”</request>",
    viewAgents: "View connected agents",
    clients: {
      "claude-code": {
        brief: "One line in a terminal",
        steps: "Type /mcp in a session, choose plinth and sign in. The browser opens, and you allow access.",
      },
      codex: {
        brief: "Two lines in a terminal",
        steps: "The browser opens, and you allow access. /mcp in a session shows whether Plinth is connected.",
      },
      cursor: {
        brief: "One click",
        steps: "Cursor asks whether to install it, then shows “Connect” beside it: click it and allow access.",
      },
      vscode: {
        brief: "One click",
        steps: "VS Code asks whether to trust it and opens the browser, where you allow access.",
      },
      claude: {
        brief: "On the web, desktop and phone",
        steps:
          "In Claude, open Customize (or Settings), then Connectors, and choose + and “Add custom connector”.\nName it Plinth, enter the URL above, and connect. You sign in here and allow access.",
      },
      other: {
        brief: "The URL, and a sign-in or a key",
        steps:
          "A client that supports OAuth needs only the URL: it registers itself and opens the browser.\nA client that doesn't, or that runs unattended, sends an API key as a bearer token.",
      },
    },
    otherClient: "Any other client",
    needsPublic:
      "Claude connects from Anthropic's servers: they can't reach this instance until its URL is public and uses HTTPS.",
    orFile: ({ file }: { file: string }) => `or ${file}`,
    places: {
      terminal: "Terminal",
      otherTerminal: "or a terminal",
      connector: "URL of the connector",
      url: "URL, Streamable HTTP",
      keyFile: "mcp.json with a key",
    },
    addTo: ({ name }: { name: string }) => `Add to ${name}`,
  },
  de: {
    title: "Agenten verbinden",
    intro:
      "Lass deinen Agenten für dich veröffentlichen: Er erhält Werkzeuge zum Veröffentlichen, Lesen, Bearbeiten und Teilen – nur mit den Berechtigungen, die du erteilst.",
    status: "Verbindungsstatus",
    createKey: "<keys>Schlüssel erstellen</keys>, der nur veröffentlichen kann.",
    commandLine: "Die Kommandozeile",
    commandLineText:
      "Für dich, für Skripte und für Agenten, die in einem Terminal arbeiten. Diese Instanz liefert ihre eigene Version von <code>plinth</code> und prüft den Download anhand seiner Prüfsumme.",
    terminal: "Terminal",
    orNpm: "oder npm, mit Node 20 oder neuer",
    aboutCommandLine: "die Kommandozeile",
    more: "Agenten finden diese Instanz über <llms>llms.txt</llms>. <skill>SKILL.md</skill> gehört in den Skills-Ordner eines Coding-Agenten, zum Beispiel <code>.claude/skills/plinth/</code>.",
    connected: "Verbunden",
    by: "mit: <credential/>",
    credential: ({ kind, name }) => `${kind} „${name}“`,
    waiting: "Warten auf eine Verbindung",
    updates: "Diese Seite aktualisiert sich selbst.",
    reloadAfter: "Lade diese Seite neu, nachdem du einen Agenten verbunden hast.",
    connectedAgo: "verbunden <time/>",
    secondsAgo: ({ seconds }) => `vor ${seconds} s`,
    try: "Ausprobieren: <request>„Veröffentliche diese README mit Plinth.“</request>",
    viewAgents: "Verbundene Agenten ansehen",
    clients: {
      "claude-code": {
        brief: "Eine Zeile im Terminal",
        steps:
          "Gib in einer Sitzung /mcp ein, wähle plinth und melde dich an. Der Browser öffnet sich, und du erlaubst den Zugriff.",
      },
      codex: {
        brief: "Zwei Zeilen im Terminal",
        steps:
          "Der Browser öffnet sich, und du erlaubst den Zugriff. /mcp in einer Sitzung zeigt, ob Plinth verbunden ist.",
      },
      cursor: {
        brief: "Ein Klick",
        steps:
          "Cursor fragt, ob es installiert werden soll, und zeigt dann „Connect“ daneben: Klicke darauf und erlaube den Zugriff.",
      },
      vscode: {
        brief: "Ein Klick",
        steps: "VS Code fragt, ob du ihm vertraust, und öffnet den Browser, in dem du den Zugriff erlaubst.",
      },
      claude: {
        brief: "Im Web, auf dem Desktop und dem Telefon",
        steps:
          "Öffne in Claude „Customize“ (oder „Settings“), dann „Connectors“, und wähle + und „Add custom connector“.\nNenne ihn Plinth, gib die URL oben ein und verbinde ihn. Du meldest dich hier an und erlaubst den Zugriff.",
      },
      other: {
        brief: "Die URL und eine Anmeldung oder ein Schlüssel",
        steps:
          "Ein Client, der OAuth unterstützt, braucht nur die URL: Er registriert sich selbst und öffnet den Browser.\nEin Client, der es nicht unterstützt oder unbeaufsichtigt läuft, sendet einen API-Schlüssel als Bearer-Token.",
      },
    },
    otherClient: "Jeder andere Client",
    needsPublic:
      "Claude verbindet sich von den Servern von Anthropic aus: Diese erreichen die Instanz erst, wenn ihre URL öffentlich ist und HTTPS verwendet.",
    orFile: ({ file }) => `oder ${file}`,
    places: {
      terminal: "Terminal",
      otherTerminal: "oder ein Terminal",
      connector: "URL des Connectors",
      url: "URL, Streamable HTTP",
      keyFile: "mcp.json mit einem Schlüssel",
    },
    addTo: ({ name }) => `Zu ${name} hinzufügen`,
  },
});
