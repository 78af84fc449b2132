import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { kindOf, kinds } from '../../scripts/lib/kinds.ts';

/** The slowest kinds come first, so that no worker is left alone with one at the end. */
const LONGEST_FIRST: readonly string[] = ['browser', 'resilience', 'examples', 'cli', 'gates', 'http', 'unit'];

export default class LongestFirst extends BaseSequencer {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(specs);
    const place = new Map(
      specs.map((spec) => {
        const kind = kindOf(path.relative(this.ctx.config.root, spec.moduleId), readFileSync(spec.moduleId, 'utf8'));
        return [spec, spec.project.config.sequence.groupOrder * kinds.length + LONGEST_FIRST.indexOf(kind)];
      }),
    );
    // a sort keeps the order of equals; files of one project stay together, because a worker serves one
    return sorted.sort(
      (a, b) =>
        a.project.config.sequence.groupOrder - b.project.config.sequence.groupOrder ||
        a.project.name.localeCompare(b.project.name) ||
        (place.get(a) ?? 0) - (place.get(b) ?? 0),
    );
  }
}
