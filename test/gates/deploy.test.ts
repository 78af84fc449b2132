import { readFileSync, statSync } from 'node:fs';
import { isInstalled, run } from '@tonerow/test-support/command.ts';
import { render } from '@tonerow/test-support/helm.ts';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig, settingNames } from '../../packages/server/src/config.ts';
import { readCron } from '../../packages/server/src/platform/time/cron.ts';
import { VERSION } from '../../packages/server/src/platform/version.ts';

const read = (name: string) => readFileSync(`deploy/${name}`, 'utf8');
const config = readFileSync('packages/server/src/config.ts', 'utf8');
const INSTRUCTIONS = new Set([
  'FROM',
  'WORKDIR',
  'COPY',
  'RUN',
  'ENV',
  'USER',
  'VOLUME',
  'EXPOSE',
  'HEALTHCHECK',
  'STOPSIGNAL',
  'CMD',
]);

interface Compose {
  services: Record<
    string,
    {
      image: string;
      mem_limit?: string;
      logging?: { driver: string; options: Record<string, string> };
      command?: string | string[];
      read_only?: boolean;
      environment?: Record<string, string>;
      volumes?: string[];
      depends_on?: object;
    }
  >;
  volumes: Record<string, null>;
}

describe('the five lines that switch Stripe on', () => {
  const text = readFileSync('docs/operations.md', 'utf8').split('## Cards and invoices')[1]?.split('\n## ')[0] ?? '';
  const lines = text.split('\n').filter((line) => /^\d\. /.test(line));

  it('are five, and name the settings that the server reads, its webhook and the version that it speaks', () => {
    expect(lines.map((line) => line[0])).toEqual(['1', '2', '3', '4', '5']);
    const settings = lines.join('\n').match(/STRIPE_\w+/g) ?? [];
    expect([...new Set(settings)]).toEqual(['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET']);
    for (const name of settings) expect(config).toContain(`${name}:`);
    const client = readFileSync('packages/server/src/platform/payments/stripe.ts', 'utf8');
    expect(lines[1]).toContain(`\`${/API_VERSION = '([^']+)'/.exec(client)?.[1]}\``);
    const route = /https:\/\/YOUR-HOST(\/[\w/]+)/.exec(lines[1] ?? '')?.[1] as string;
    // the contract leaves out what only Stripe calls
    const routes = readFileSync('packages/server/src/features/billing/webhook/webhook.routes.ts', 'utf8');
    expect(routes).toContain(`'${route}'`);
    const webhook = readFileSync('packages/server/src/features/billing/webhook/webhook.service.ts', 'utf8');
    const subjects = (lines[2]?.match(/`(\w+)\.\w+`/g) ?? []).map((event) => event.slice(1).split('.')[0]);
    expect(subjects.length).toBeGreaterThan(4);
    for (const subject of subjects) expect(webhook).toContain(`'${subject}'`);
  });

  it('are where README.md and what is deployed point to', () => {
    expect(readFileSync('README.md', 'utf8')).toContain('(docs/operations.md#cards-and-invoices)');
    for (const name of ['compose.yaml', 'tonerow.service']) expect(read(name)).toMatch(/five lines/);
    for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'])
      expect(read('compose.yaml')).toContain(`${name}: \${${name}:-}`);
  });
});

describe('the files to deploy with', () => {
  it('are a compose file that only sets what the server reads, with limits and pinned versions', () => {
    const compose = parse(read('compose.yaml'), { merge: true }) as Compose;
    expect(Object.keys(compose.services)).toEqual([
      'server-1',
      'server-2',
      'backups',
      'tools',
      'postgres',
      'storage',
      'bucket',
      'caddy',
    ]);
    for (const [name, { image, mem_limit: limit, logging }] of Object.entries(compose.services)) {
      expect(limit, name).toBeDefined();
      expect(logging, name).toMatchObject({ driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } });
      if (image !== 'tonerow') expect(image, name).toMatch(/:(RELEASE\.[\dTZ-]+|\d+\.\d+(\.\d+)?(-\w+)?)$/);
    }
    const server = compose.services['server-1'];
    expect(server?.read_only).toBe(true);
    expect(server?.environment?.TONEROW_TRUST_PROXY?.split(',')).toEqual([
      '10.0.0.0/8',
      '172.16.0.0/12',
      '192.168.0.0/16',
      'fc00::/7',
    ]);
    for (const name of Object.keys(server?.environment ?? {})) expect(config).toContain(`${name}:`);
    for (const service of Object.values(compose.services)) {
      for (const dependency of Object.keys(service.depends_on ?? {}))
        expect(compose.services).toHaveProperty(dependency);
      for (const volume of service.volumes ?? []) {
        const source = volume.split(':')[0] as string;
        if (!source.startsWith('.')) expect(compose.volumes).toHaveProperty(source);
      }
    }
  });

  it('name every variable of the compose file, those that are needed with a way to make them', () => {
    const variables = [...read('compose.yaml').matchAll(/\$\{(\w+):([?+-])/g)];
    const needed = new Set(variables.filter(([, , how]) => how === '?').map(([, name]) => name as string));
    const example = read('.env.example');
    const named = [...example.matchAll(/^(#?)([A-Z]\w+)=(.*)$/gm)];
    expect(new Set(named.map(([, , name]) => name))).toEqual(new Set(variables.map(([, name]) => name)));
    // empty ones, so that Compose refuses a file that nobody has filled in
    expect(new Set(named.filter(([, off]) => off === '').map(([, , name, value]) => `${name}=${value}`))).toEqual(
      new Set([...needed].map((name) => `${name}=`)),
    );
    for (const name of ['TONEROW_SECRET', 'POSTGRES_PASSWORD', 'S3_SECRET_ACCESS_KEY'])
      expect(example).toMatch(new RegExp(`openssl rand -\\w+ \\d+\\n${name}=\\n`));
    expect(readFileSync('docs/operations.md', 'utf8')).toContain('`deploy/.env.example`');
    // the filled in copy is nobody else's
    for (const ignored of ['.gitignore', '.dockerignore'])
      expect(readFileSync(ignored, 'utf8').split('\n')).toContain('deploy/.env');
  });

  it('make backups every night, which every server sees the age of', () => {
    const { services } = parse(read('compose.yaml'), { merge: true }) as Compose;
    const { command, environment, volumes } = services.backups ?? {};
    const [node, script, ...args] = command as string[];
    expect([node, script, args[0]]).toEqual(['node', 'packages/server/dist/bin.js', 'backup']);
    expectOptions(args);
    expect(
      readCron(args[args.indexOf('--schedule') + 1] as string).nextAfter(new Date('2026-11-22T12:00:00Z')),
    ).toEqual(new Date('2026-11-23T03:00:00Z'));
    expect(environment?.TONEROW_BACKUP_TO).toMatch(/^\/backups\b/);
    expect(volumes).toContain('backups:/backups');
    for (const name of ['server-1', 'server-2']) expect(services[name]?.volumes).toContain('backups:/backups:ro');
    expect(read('Containerfile')).toContain('chown node:node /data /backups');
  });

  it('have the commands of operators beside the servers, and without them', async () => {
    const { services } = parse(read('compose.yaml'), { merge: true }) as Compose;
    const tools = services.tools as Compose['services'][string] & Record<string, unknown>;
    expect(tools).toMatchObject({ profiles: ['tools'], restart: 'no', healthcheck: { disable: true } });
    // with the settings and the backups of the others, and waiting for no server
    expect([tools.image, tools.environment]).toEqual([services.backups?.image, services.backups?.environment]);
    expect(tools.volumes).toContain('backups:/backups');
    expect(Object.keys(tools.depends_on ?? {})).toEqual(['postgres', 'bucket']);
    expect(tools.entrypoint).toEqual(['node', 'packages/server/dist/bin.js']);
    const alone = await run(process.execPath, ['packages/server/src/bin.ts', ...(tools.command as string[])]);
    expect([alone.code, alone.out]).toEqual([0, expect.stringContaining('Usage: tonerow-server <command>')]);
  });

  it('are a container file of known instructions that starts what is built', () => {
    const lines = read('Containerfile')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    for (const line of lines) expect(INSTRUCTIONS, line).toContain(line.split(' ')[0]);
    const command = lines.at(-1)?.replace('CMD ', '') ?? '';
    expect(JSON.parse(command)).toEqual(['node', 'packages/server/dist/main.js']);
    for (const pair of lines
      .find((line) => line.startsWith('ENV'))
      ?.slice(4)
      .split(' ') ?? []) {
      const name = pair.split('=')[0] as string;
      if (name !== 'NODE_ENV') expect(config).toContain(`${name}:`);
    }
  });

  it('are a Caddyfile whose blocks close, and that asks where the server answers', () => {
    const text = read('Caddyfile');
    let depth = 0;
    for (const sign of text.replace(/\{\$[^}]*\}/g, '')) {
      if (sign === '{') depth += 1;
      if (sign === '}') depth -= 1;
      expect(depth).toBeGreaterThanOrEqual(0);
    }
    expect(depth).toBe(0);
    const port = /TONEROW_METRICS_PORT=(\d+)/.exec(read('Containerfile'))?.[1];
    const own = /^\s*ask (http:\/\/127\.0\.0\.1:\d+)\/internal\/tls\/ask$/m.exec(text)?.[1];
    expect(text).toContain(`\n${own} {\n\tbind 127.0.0.1\n`);
    // either server answers, so that a restart keeps no domain from its certificate
    expect(text).toContain(`{$TONEROW_INTERNAL_UPSTREAMS:server-1:${port} server-2:${port}}`);
  });

  it('are a Caddyfile that Caddy accepts, where it is installed', async () => {
    if (!isInstalled('caddy', 'version'))
      return void process.stderr.write('skipped: the check of the Caddyfile, as caddy is not installed\n');
    const args = ['adapt', '--config', 'deploy/Caddyfile', '--adapter', 'caddyfile'];
    const adapted = await run('caddy', args, { env: { TONEROW_HOSTNAME: 'licenses.example.com' } });
    expect([adapted.code, adapted.err]).toMatchObject([0, expect.not.stringContaining('Error')]);
  });

  it.each(['tonerow.service', 'tonerow-backup.service'])(
    'are a systemd unit %s that systemd accepts, where it is installed',
    async (unit) => {
      const verified = isInstalled('systemd-analyze') && (await run('systemd-analyze', ['verify', `deploy/${unit}`]));
      if (!verified)
        process.stderr.write('skipped: the check of the systemd unit, as systemd-analyze is not installed\n');
      else expect([verified.code, verified.err]).toEqual([0, '']);
      for (const [, name] of read(unit).matchAll(/(TONEROW_\w+)=/g)) expect(config).toContain(`${name}:`);
      expect(read(unit)).toContain('\nLogNamespace=tonerow\n');
      expect(read('journald@tonerow.conf')).toMatch(/^SystemMaxUse=\d+G$/m);
    },
  );

  it('are a systemd unit of backups that runs the server’s own command beside the server', () => {
    const [server, backups] = [read('tonerow.service'), read('tonerow-backup.service')];
    const of = (unit: string, name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
    const command = of(backups, 'ExecStart').replace('/usr/bin/env node ', '').split(' ');
    expect(command.slice(0, 2)).toEqual(['packages/server/dist/bin.js', 'backup']);
    expectOptions(command);
    for (const name of ['WorkingDirectory', 'User', 'DynamicUser']) expect(of(backups, name)).toBe(of(server, name));
    // the server looks at the age of what the other one makes
    expect(of(server, 'StateDirectory').split(' ')).toEqual(['tonerow-server', 'tonerow-backups']);
    expect(of(backups, 'StateDirectory')).toBe(of(server, 'StateDirectory'));
    expect(of(backups, 'Environment')).toBe(of(server, 'Environment'));
    expect(of(server, 'Environment')).toMatch(/TONEROW_BACKUP_TO=\/var\/lib\/tonerow-backups$/);
  });
});

describe('the script for commands beside the units', () => {
  it('runs them with their account, settings and folders', () => {
    const [unit, script] = [read('tonerow.service'), read('tonerow-server')];
    const of = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? 'nothing';
    for (const name of [
      'User',
      'DynamicUser',
      'StateDirectory',
      'StateDirectoryMode',
      'WorkingDirectory',
      'EnvironmentFile',
    ])
      expect(script.replaceAll('"', '')).toContain(`--property=${name}=${of(name)} `);
    for (const pair of of('Environment').split(' ')) expect(script).toContain(`--setenv=${pair} `);
    expect(script).toContain('node packages/server/dist/bin.js "$@"');
    expect(statSync('deploy/tonerow-server').mode & 0o111).toBe(0o111);
  });
});

/** Each option is one that `tonerow-server` knows. */
function expectOptions(args: readonly string[]): void {
  const help = readFileSync('packages/server/src/commands/help.ts', 'utf8');
  const options = args.filter((arg) => arg.startsWith('--'));
  expect(options.length).toBeGreaterThan(0);
  for (const option of options) expect(help).toContain(option);
}

interface Made {
  kind: string;
  metadata: { name: string };
  spec?: Record<string, unknown>;
  data?: Record<string, string>;
}

interface Pod {
  containers: {
    command?: string[];
    envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
    env: { name: string; value: string }[];
    ports?: { name: string; containerPort: number }[];
    resources: { limits: { memory: string } };
    securityContext: object;
    volumeMounts: { name: string }[];
    startupProbe?: { httpGet: object };
    livenessProbe?: { httpGet: object };
    readinessProbe?: { httpGet: object };
  }[];
  volumes: { name: string }[];
}

// neither helm nor kubeconform is here: what the templates render to is parsed and looked at, and nothing was installed by them
describe('the Helm chart', () => {
  const chart = 'deploy/helm/tonerow';
  const all = {
    ingress: { enabled: true, tlsSecret: 'tls', className: 'nginx' },
    podMonitor: { enabled: true },
    alerts: { enabled: true },
  };
  const made = render(chart, all) as unknown as Made[];
  const one = (kind: string, name: string) =>
    made.find((each) => each.kind === kind && each.metadata.name === name) as Made;
  const podOf = ({ kind, spec }: Made): Pod => {
    const job = kind === 'CronJob' ? (spec as { jobTemplate: { spec: object } }).jobTemplate.spec : spec;
    return (job as { template: { spec: Pod } }).template.spec;
  };
  const running = made.filter(({ kind }) => kind === 'Deployment' || kind === 'CronJob');

  it('makes the server, its worker, backups and what leads to them', () => {
    expect(made.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual([
      'ConfigMap test-settings',
      'CronJob test-backups',
      'Deployment test-api',
      'Deployment test-worker',
      'Ingress test',
      'PodDisruptionBudget test-api',
      'PodMonitor test',
      'PrometheusRule test',
      'Service test',
      'Service test-internal',
    ]);
    const bare = render(chart, { backups: { enabled: false } }) as unknown as Made[];
    expect(bare.map(({ kind }) => kind)).not.toContain('CronJob');
    expect(bare.map(({ kind }) => kind)).not.toContain('Ingress');
  });

  it('sets what the server reads, and nothing else', () => {
    const names = [
      ...Object.keys(one('ConfigMap', 'test-settings').data ?? {}),
      ...running.flatMap((each) => podOf(each).containers.flatMap(({ env }) => env.map(({ name }) => name))),
    ];
    expect(names.length).toBeGreaterThan(12);
    expect(names.filter((name) => !settingNames.includes(name))).toEqual([]);
    const notes = readFileSync(`${chart}/values.yaml`, 'utf8').match(
      /\b(?:S3|STRIPE|TONEROW|SMTP)_[A-Z0-9_]*[A-Z0-9]\b/g,
    );
    for (const name of notes ?? [])
      expect(
        settingNames.some((known) => known === name || known.startsWith(`${name}_`)),
        name,
      ).toBe(true);
  });

  it('starts a server that its own settings accept, in each role', () => {
    const settings = one('ConfigMap', 'test-settings').data ?? {};
    const secret = {
      DATABASE_URL: 'postgres://tonerow@database/tonerow',
      TONEROW_SECRET: 'a secret that is long enough to be one of ours',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'key',
    };
    for (const each of running) {
      const [{ env }] = podOf(each).containers as [Pod['containers'][0]];
      const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
      const config = readConfig({ ...settings, ...secret, ...own });
      expect(config.complaints, each.metadata.name).toEqual([]);
      expect([config.s3?.bucket, config.backups.to.length]).toEqual(['tonerow', 1]);
      if (each.kind === 'Deployment') expect([config.port, config.metricsPort]).toEqual([4000, 9464]);
    }
  });

  it('gives every container limits, volumes that there are, and no rights', () => {
    for (const each of running) {
      const { containers, volumes } = podOf(each);
      for (const { resources, securityContext, volumeMounts, envFrom } of containers) {
        expect(resources.limits.memory).toMatch(/^\d+[GM]i$/);
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(volumeMounts.map(({ name }) => name)).toEqual(volumes.map(({ name }) => name));
        expect(envFrom).toEqual([{ configMapRef: { name: 'test-settings' } }, { secretRef: { name: 'tonerow' } }]);
      }
    }
  });

  it('backs up by a command that there is, at a time that there is', () => {
    const job = one('CronJob', 'test-backups');
    const { command = [] } = podOf(job).containers[0] as Pod['containers'][0];
    expect(command.slice(0, 3)).toEqual(['node', 'packages/server/dist/bin.js', 'backup']);
    expectOptions(command);
    expect(readCron((job.spec as { schedule: string }).schedule)).toBeDefined();
  });

  it('asks for life where a process answers that migrates, and for traffic where it comes', () => {
    for (const each of running.filter(({ kind }) => kind === 'Deployment')) {
      const [{ startupProbe, livenessProbe, readinessProbe }] = podOf(each).containers as [Pod['containers'][0]];
      for (const probe of [startupProbe, livenessProbe])
        expect(probe?.httpGet).toEqual({ path: '/livez', port: 'metrics' });
      expect(readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'http' });
    }
  });

  it('starts its processes again when a setting changes', () => {
    const settingsOf = (values: object) =>
      (render(chart, values as Record<string, unknown>) as unknown as Made[])
        .filter(({ kind }) => kind === 'Deployment')
        .map(({ spec }) => (spec as { template: { metadata: { annotations: object } } }).template.metadata.annotations);
    expect(settingsOf({})).toHaveLength(2);
    expect(settingsOf({})).toEqual(settingsOf({}));
    expect(settingsOf({ settings: { TONEROW_LOG_LEVEL: 'debug' } })).not.toEqual(settingsOf({}));
  });

  it('has the alerts of Prometheus, under the name that they know the processes by', () => {
    const alerts = read('prometheus/tonerow-alerts.yml');
    expect(read('helm/tonerow/alerts.yaml')).toBe(alerts);
    expect(one('PrometheusRule', 'test').spec).toEqual(parse(alerts));
    expect(alerts).toContain('job="tonerow"');
    expect(one('PodMonitor', 'test').spec).toMatchObject({ jobLabel: 'app.kubernetes.io/name' });
    for (const each of running.filter(({ kind }) => kind === 'Deployment'))
      expect((each.spec as { template: { metadata: { labels: object } } }).template.metadata.labels).toMatchObject({
        'app.kubernetes.io/name': 'tonerow',
      });
    expect(read('prometheus/prometheus.yml')).toContain('job_name: tonerow\n');
  });

  it('is of the version of the server', () => {
    const { version, appVersion } = parse(readFileSync(`${chart}/Chart.yaml`, 'utf8')) as Record<string, string>;
    expect([version, appVersion]).toEqual([VERSION, VERSION]);
  });
});
