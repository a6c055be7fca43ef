//! The table of orders, and the pool of connections to it.
use std::sync::Arc;
use std::time::Duration;

use otp_bridge::Env;
use otp_bridge::prelude::*;
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;

use crate::order::{Order, Stage};

otp_bridge::shared! {
    /// The connections to PostgreSQL. The application starts without the database, and connects
    /// as soon as it is there.
    pub static DB: PgPool = connect, close = disconnect, retry = true;
}

/// The part of `[env]` in otp.toml that is about the database.
#[derive(Debug, Env)]
struct Settings {
    database: String,
    connections: u32,
}

/// How long a query waits for a connection. A request should fail while its client still waits.
const PATIENCE: Duration = Duration::from_secs(2);

async fn connect(settings: Settings) -> sqlx::Result<PgPool> {
    let options = PgPoolOptions::new().max_connections(settings.connections);
    let options = options.acquire_timeout(PATIENCE);
    let pool = options.connect(&settings.database).await?;
    sqlx::raw_sql(include_str!("schema.sql"))
        .execute(&pool)
        .await?;
    Ok(pool)
}

async fn disconnect(pool: Arc<PgPool>) {
    pool.close().await;
}

/// The result of a query. If the database does not answer, the error is `unavailable`, and an HTTP
/// client gets 503.
#[track_caller]
fn answered<T>(answer: sqlx::Result<T>) -> Result<T> {
    match answer {
        Err(error @ (sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut)) => Err(DB.away(error).into()),
        answer => answer.or_exit(),
    }
}

/// Fails if the database does not answer.
pub async fn health() -> Result<()> {
    let pool = DB.get()?;
    answered(sqlx::query("SELECT 1").execute(&*pool).await).map(drop)
}

/// A row: number, customer, cents and stage.
type Row = (i64, i64, i64, String);

fn order((number, customer, cents, stage): Row) -> Option<Order> {
    let stage = Stage::ALL.into_iter().find(|it| it.name() == stage)?;
    Some(Order {
        number,
        customer,
        cents,
        stage,
    })
}

/// Inserts an order. Returns its number.
pub async fn insert(cx: &Cx<'_>, customer: i64, cents: i64) -> Result<i64> {
    let pool = DB.get()?;
    let inserted = cx.tokio(async move {
        let insert = "INSERT INTO orders (customer, cents) VALUES ($1, $2) RETURNING number";
        let query = sqlx::query_scalar(insert).bind(customer).bind(cents);
        query.fetch_one(&*pool).await
    });
    answered(inserted.await?)
}

/// Moves an order from one stage to another. Fails with `stale` if the row has another stage.
pub async fn advance(cx: &Cx<'_>, number: i64, from: Stage, to: Stage) -> Result<()> {
    let pool = DB.get()?;
    let updated = cx.tokio(async move {
        let update = "UPDATE orders SET stage = $3 WHERE number = $1 AND stage = $2";
        let query = sqlx::query(update).bind(number);
        query
            .bind(from.name())
            .bind(to.name())
            .execute(&*pool)
            .await
    });
    match answered(updated.await?)?.rows_affected() {
        1 => Ok(()),
        _ => Err(Exit::error(atom!("stale"))),
    }
}

/// The sum of a customer's orders that are not paid, in cents.
pub async fn owed(cx: &Cx<'_>, customer: i64) -> Result<i64> {
    let pool = DB.get()?;
    let owed = cx.tokio(async move {
        let sum = "SELECT coalesce(sum(cents), 0)::bigint FROM orders \
                   WHERE customer = $1 AND stage = 'placed'";
        sqlx::query_scalar(sum)
            .bind(customer)
            .fetch_one(&*pool)
            .await
    });
    answered(owed.await?)
}

/// The order with this number.
pub async fn load(number: i64) -> Result<Option<Order>> {
    let pool = DB.get()?;
    let select = "SELECT number, customer, cents, stage FROM orders WHERE number = $1";
    let row = sqlx::query_as(select).bind(number).fetch_optional(&*pool);
    Ok(answered(row.await)?.and_then(order))
}

/// The next open orders after a number, in the order of their numbers.
pub async fn open_after(cx: &Cx<'_>, number: i64, limit: i64) -> Result<Vec<Order>> {
    let pool = DB.get()?;
    let rows = cx.tokio(async move {
        let select = "SELECT number, customer, cents, stage FROM orders \
                      WHERE stage IN ('placed', 'paid') AND number > $1 ORDER BY number LIMIT $2";
        let query = sqlx::query_as::<_, Row>(select).bind(number).bind(limit);
        query.fetch_all(&*pool).await
    });
    Ok(answered(rows.await?)?
        .into_iter()
        .filter_map(order)
        .collect())
}
