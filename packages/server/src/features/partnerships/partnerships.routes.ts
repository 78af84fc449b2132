import { z } from 'zod';
import { callerOf } from '../../platform/access/guard.ts';
import type { App } from '../../platform/http/app-kit.ts';
import { Id, privateAnswers } from '../../platform/http/schemas.ts';
import { partnershipStatuses } from './partnerships.entity.ts';
import type { Partnerships } from './partnerships.service.ts';

const ResellerChoice = z
  .object({
    id: Id.describe('The id of the partnership, to which serials are assigned.'),
    name: z.string(),
    company_name: z.string(),
    commission_rate: z.number().describe('In percent.'),
    status: z.enum(partnershipStatuses),
  })
  .meta({ id: 'ResellerChoice' });

export function partnershipRoutes(partnerships: Partnerships) {
  return async (app: App): Promise<void> => {
    app.get(
      '/api/reseller/developer/resellers',
      {
        config: { access: { as: 'user', role: 'developer', scope: 'resellers:read' } },
        schema: {
          operationId: 'listResellers',
          tags: ['resellers'],
          summary: 'List the resellers a developer works with',
          response: privateAnswers({ 200: z.array(ResellerChoice) }),
        },
      },
      async (request) => partnerships.list(callerOf(request).userId),
    );
  };
}
