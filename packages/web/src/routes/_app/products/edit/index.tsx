import { createFileRoute } from '@tanstack/react-router';
import { ProductList } from '#features/products/product-list.tsx';
import { choiceParam, pageParam, textParam } from '#lib/navigation/search-params.ts';

const columns = ['created_at', 'name', 'price', 'available', 'generated', 'redeemed', 'revenue'] as const;
type Sort = (typeof columns)[number] | `-${(typeof columns)[number]}`;
const sorts = columns.flatMap((each): Sort[] => [each, `-${each}`]);
const looks = ['cards', 'table'] as const;

interface ProductsSearch {
  look?: (typeof looks)[number] | undefined;
  search?: string | undefined;
  sort?: Sort | undefined;
  page?: number | undefined;
  cursor?: string | undefined;
  /** What is chosen of each filter: `a,b`, or `-a` for all but it. */
  status?: string | undefined;
  stock?: string | undefined;
  files?: string | undefined;
  price?: string | undefined;
}

export const Route = createFileRoute('/_app/products/edit/')({
  validateSearch: (search: Record<string, unknown>): ProductsSearch => ({
    look: choiceParam(search.look, looks),
    search: textParam(search.search),
    sort: choiceParam(search.sort, sorts),
    page: pageParam(search.page),
    cursor: textParam(search.cursor),
    status: textParam(search.status),
    stock: textParam(search.stock),
    files: textParam(search.files),
    price: textParam(search.price),
  }),
  component: ProductsScreen,
});

const first = { page: undefined, cursor: undefined };

function ProductsScreen() {
  const { look, search = '', sort, page = 1, cursor, ...chosen } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <ProductList
      look={look}
      filter={{ search, ...chosen }}
      sort={sort}
      page={cursor ? page : 1}
      cursor={cursor}
      onLook={(next) => navigate({ search: (before) => ({ ...before, ...first, look: next }), replace: true })}
      onSearch={(text) =>
        navigate({ search: (before) => ({ ...before, ...first, search: text || undefined }), replace: true })
      }
      onFilter={(next, order) =>
        navigate({
          search: (before) => ({
            ...next,
            look: before.look,
            sort: order === undefined ? before.sort : choiceParam(order, sorts),
            search: next.search || undefined,
          }),
          replace: next.search !== search,
        })
      }
      onSort={(by) => navigate({ search: (before) => ({ ...before, ...first, sort: choiceParam(by, sorts) }) })}
      onPage={(to, next) =>
        navigate({
          search: (before) => ({ ...before, page: to > 1 ? to : undefined, cursor: to > 1 ? next : undefined }),
          resetScroll: true,
        })
      }
    />
  );
}
